/** What must hold of a pull: it never takes what isn't its own (docs/rules.md, rule 7). */
import type { Stored } from "../../emulator/store.ts";
import type { Values } from "../../provider/wire/codec.ts";
import type { House } from "./house.ts";
import { objectOf } from "./model.ts";
import type { Entry } from "./program.ts";
import type { Files, Pulled } from "./pull.ts";

type State = ReturnType<House["state"]>[number];

interface Around {
  /** What was pulled; all where empty. */
  readonly kinds: readonly string[];
  readonly rows: ReadonlyMap<string, Stored>;
  readonly states: readonly State[];
}

/** Sentences about what a pull did wrong. */
export function wrongIn(before: Files, pulled: Pulled, { kinds, rows, states }: Around): readonly string[] {
  const held = states.filter(({ delete: leaving, id }) => leaving !== true && id !== undefined);
  const statesOf = (kind: string, names: readonly string[]) =>
    held.filter(({ urn, type }) => type.endsWith(`:${kind}`) && names.includes(urn.split("::").at(-1) ?? ""));
  // A resource is the object that its state has, else the one that it takes over.
  const objectOfEntry = ({ kind, name, aliases = [], args }: Entry): string | undefined => {
    const [state] = statesOf(kind, [name, ...aliases]);
    const other = isNumber(args.adopt) ? objectOf({ type: `:${kind}`, id: String(args.adopt) }) : undefined;
    if (state === undefined) return other;
    // What staff deleted and made again is the new object.
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
    // What was moved into a component and couldn't be made there stands twice under its name until it is.
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
    // What has been paid is history: nobody can take it back, and a pull states it no more.
    if (isPulled && row !== undefined && !isHistory(row) && !objects.has(object ?? ""))
      wrong.push(`${entry.kind} ${entry.name} (${object}) is in the shop, and no more in the program`);
  }
  return wrong;
}

const isNumber = (adopt: unknown) => adopt !== undefined && adopt !== "key";

interface Known extends Values {
  readonly variants?: Readonly<Record<string, { readonly sku?: string }>>;
}

/** Whether an object has what a person knows the object of a state by. */
function hasKeyOf(row: Stored | undefined, { inputs }: State): boolean {
  const marksOf = ({ permalink, code, title, name, variants }: Known) =>
    permalink === undefined && variants === undefined
      ? [code ?? name ?? title]
      : // A state has the items of a list by their keys.
        [permalink, ...Object.entries(variants ?? {}).map(([key, { sku = key }]) => sku)];
  const marks = marksOf((row ?? {}) as Known);
  return marksOf((inputs ?? {}) as Known).some((mark) => mark !== undefined && marks.includes(mark));
}

const isHistory = ({ status }: Stored) => status !== undefined && status !== "pending";

// What a program said twice before is its own mistake.
const areBoth = ({ program }: Files, object: string, objectOfEntry: (entry: Entry) => string | undefined) =>
  program.filter((entry) => objectOfEntry(entry) === object).length > 1;
