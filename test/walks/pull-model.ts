/** The rules of pull: it never takes other files' or stacks' objects (docs/rules.md, rule 7). */
import type { Stored } from "../../emulator/store.ts";
import type { Values } from "../../provider/wire/codec.ts";
import type { House } from "./house.ts";
import { walkKinds } from "./kinds.ts";
import { objectOf } from "./model.ts";
import type { Entry } from "./program.ts";
import type { Files, Pulled } from "./pull.ts";

type State = ReturnType<House["state"]>[number];

interface Around {
  /** The kinds to pull; all if empty. */
  readonly kinds: readonly string[];
  readonly rows: ReadonlyMap<string, Stored>;
  readonly states: readonly State[];
}

/** Mistakes of a pull, one sentence each. */
export function wrongIn(before: Files, pulled: Pulled, { kinds, rows, states }: Around): readonly string[] {
  const held = states.filter(({ delete: leaving, id }) => leaving !== true && id !== undefined);
  const statesOf = (kind: string, names: readonly string[]) =>
    held.filter(({ urn, type }) => type.endsWith(`:${kind}`) && names.includes(urn.split("::").at(-1) ?? ""));
  /** The only object with the key of a resource that adopts by it. */
  const byKey = (kind: string, args: Values): string | undefined => {
    if (args.adopt !== "key") return undefined;
    const [table = ""] = objectOf({ type: `:${kind}`, id: "" }).split("/");
    const isOne = walkKinds.some((one) => one.kind === kind && one.isOne !== undefined);
    const those = [...rows].filter(
      ([key, row]) => key.startsWith(`${table}/`) && (isOne || hasMarksOf(row, args)),
    );
    return those.length === 1 ? those[0]?.[0] : undefined;
  };
  // A resource is the object in its state, or else the one that it adopts.
  const objectOfEntry = ({ kind, name, aliases = [], args }: Entry): string | undefined => {
    const [state] = statesOf(kind, [name, ...aliases]);
    const other = isNumber(args.adopt)
      ? objectOf({ type: `:${kind}`, id: String(args.adopt) })
      : byKey(kind, args);
    if (state === undefined) return other;
    // An object that staff deleted and created again is the new one.
    return other !== undefined && !rows.has(objectOf(state)) && hasKeyOf(rows.get(other), state)
      ? other
      : objectOf(state);
  };
  const wrong: string[] = [];
  if (!pulled.entry.after.startsWith(pulled.entry.before))
    wrong.push(`the program's entry lost lines: ${pulled.entry.after}`);
  for (const path of pulled.own) if (pulled.written.has(path)) wrong.push(`it overwrote ${path}`);
  const objects = new Map<string, Entry>();
  const names = new Set<string>();
  for (const entry of pulled.program) {
    const place = `${entry.kind} ${entry.name}`;
    if (names.has(place)) wrong.push(`there are two ${place}`);
    names.add(place);
    const object = objectOfEntry(entry);
    const other = object === undefined ? undefined : objects.get(object);
    if (object !== undefined && other !== undefined && !areBoth(before, object, objectOfEntry))
      wrong.push(`${place} and ${other.name} are both ${object}`);
    if (object !== undefined) objects.set(object, entry);
    const { adopt } = entry.args;
    if (entry.isPulled !== true || !isNumber(adopt)) continue;
    // A resource that was moved into a component and couldn't be created there is declared twice until it can.
    const [state, ...moved] = statesOf(entry.kind, [entry.name]);
    const ids = [state?.id ?? before.adopted[entry.kind]?.[entry.name], ...moved.map(({ id }) => id)];
    const was = ids.filter((id) => id !== undefined);
    const isSame = was.length === 0 || was.some((id) => id.split("/").at(-1) === adopt);
    const isRemade = state !== undefined && object !== objectOf(state);
    if (!isSame && !isRemade && pulled.written.has(`${entry.module}.ts`))
      wrong.push(`${place} was ${was.join(", ")}, and is ${adopt} now`);
  }
  for (const entry of before.program) {
    const object = objectOfEntry(entry);
    const isPulled = kinds.length === 0 || kinds.includes(entry.kind);
    const row = object === undefined ? undefined : rows.get(object);
    // A paid charge is history: a pull doesn't declare it any more.
    if (isPulled && row !== undefined && !isHistory(row) && !objects.has(object ?? ""))
      wrong.push(`${entry.kind} ${entry.name} (${object}) is in the shop, and no more in the program`);
  }
  return wrong;
}

const isNumber = (adopt: unknown) => adopt !== undefined && adopt !== "key";

interface Known extends Values {
  readonly variants?: Readonly<Record<string, { readonly sku?: string }>>;
}

/** Whether an object looks like the one in a state. */
const hasKeyOf = (row: Stored | undefined, { inputs }: State): boolean => hasMarksOf(row, inputs ?? {});

/** Whether an object has a key of a resource. */
function hasMarksOf(row: Stored | undefined, args: Values): boolean {
  const marksOf = ({ permalink, code, title, name, variants }: Known) =>
    permalink === undefined && variants === undefined
      ? [code ?? name ?? title]
      : // A state has list items by key.
        [permalink, ...Object.entries(variants ?? {}).map(([key, { sku = key }]) => sku)];
  const marks = marksOf((row ?? {}) as Known);
  return marksOf(args as Known).some((mark) => mark !== undefined && marks.includes(mark));
}

const isHistory = ({ status }: Stored) => status !== undefined && status !== "pending";

// Duplicates of the program itself are its own mistake.
const areBoth = ({ program }: Files, object: string, objectOfEntry: (entry: Entry) => string | undefined) =>
  program.filter((entry) => objectOfEntry(entry) === object).length > 1;
