// What `ignoreChanges` promises of every argument of every kind, by its definition: whatever the program, staff and a refresh make
// of it, an argument that is ignored is neither shown, nor sent, nor put back. In both forms, and by `pulumi` where it is on PATH.
import { expect, test } from "vitest";
import { isBody, withoutBody } from "../../provider/body/arguments.ts";
import { type Definition, type Field, type Fields, isArgument } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { listOf } from "../../provider/wire/values.ts";
import { sampleOf } from "../provider/samples.ts";
import { full, partOf } from "../support/campaign.ts";
import { openSeat, type Seat, ways } from "../support/engines.ts";
import { resources, type World } from "../support/world.ts";

const argumentsIn = (fields: Fields) => Object.entries(fields).filter(([, field]) => isArgument(field));

/** The n-th value of an argument that a program may write. @param address a file that the shop can fetch */
function argumentOf([name, field]: readonly [string, Field], n: number, address: string): unknown {
  if (field.type === "items") return [itemOf(field.items?.fields ?? {}, n, address)];
  if (field.type === "amounts") return { Wholesale: n + 1 };
  if (field.type === "path") return `note-${n}.txt`;
  if (field.type === "boolean") return n % 2 === 1;
  if (/^(src|.*url)$/i.test(name)) return `${address}?${n}`;
  const few = Object.keys(field.values ?? {});
  const named = few[n % few.length];
  const candidates = [named, Number(named), `text-${n}`, n + 1, `2090-01-0${n + 1}`];
  return candidates.find((one) => one !== undefined && "value" in field.argument(one));
}

const itemOf = (fields: Fields, n: number, address: string): Values =>
  Object.fromEntries(argumentsIn(fields).map((argument) => [argument[0], argumentOf(argument, n, address)]));

/** A resource that ignores one of its arguments, or a field of all items of one. */
interface Ignoring {
  readonly definition: Definition;
  readonly name: string;
  /** The argument. */
  readonly top: string;
  /** As `ignoreChanges` names it. */
  readonly path: string;
  /** Its arguments, with the n-th value at the path. */
  readonly args: (n: number) => Values;
  /** A change of other arguments, which are the program's as ever. */
  readonly beside: Values;
}

/** Each argument of a kind in a resource of its own, and each field of a list's items. */
async function ignoringOf(
  definition: Definition,
  world: World,
  address: string,
): Promise<readonly Ignoring[]> {
  const { args, change = {} } = await sampleOf(definition, world);
  const keys = new Set((definition.keys ?? []).flat());
  return argumentsIn(definition.fields).flatMap(([top, field]) => {
    const ignoring = (path: string, valued: (base: Values, n: number) => Values): Ignoring => {
      const name = `${definition.kind}-${path.replaceAll(/\W+/g, "-")}`;
      const own = argumentsIn(definition.fields).flatMap(([key, { type, values }]) =>
        keys.has(key) && type === "text" && values === undefined ? [[key, name.toLowerCase()]] : [],
      );
      const base = { ...(isBody(definition, top) ? withoutBody(args) : args), ...Object.fromEntries(own) };
      const { [top]: _same, ...beside } = isBody(definition, top) ? withoutBody(change) : change;
      return { definition, name, top, path, args: (n) => valued(base, n), beside };
    };
    const whole = ignoring(top, (base, n) => {
      // At first as its sample has it; the numbers of other objects are left to the shop.
      const isAsIs = n === 0 && (base[top] !== undefined || field.refersTo !== undefined);
      return isAsIs ? base : { ...base, [top]: argumentOf([top, field], n, address) };
    });
    const inner = field.items?.key === undefined ? [] : argumentsIn(field.items.fields ?? {});
    const fields = inner.filter(([name]) => name !== field.items?.key);
    return [
      whole,
      ...fields.map((one) =>
        ignoring(`${top}[*].${one[0]}`, (base, n) => ({
          ...base,
          [top]: listOf(base[top]).map((item) => ({ ...item, [one[0]]: argumentOf(one, n, address) })),
        })),
      ),
    ];
  });
}

async function ignoringAll(world: World): Promise<readonly Ignoring[]> {
  await world.client.priceKinds.create({ title: "Wholesale" });
  const given = { attachment: "aGk=", filename: "given.txt" } as never;
  const { absoluteUrl } = await world.client.files.create(given);
  const all = await Promise.all(
    resources.map((definition) => ignoringOf(definition, world, String(absoluteUrl))),
  );
  return all.flat();
}

const programOf = (all: readonly Ignoring[], n: number, isBeside = false): string => {
  const lines = all.map(({ definition, name, path, args, beside }) => {
    const given = { ...args(n), ...(isBeside && beside) };
    return `new shop.${definition.kind}("${name}", ${JSON.stringify(given)} as never, { ignoreChanges: ["${path}"] });\n`;
  });
  return `import * as shop from "pulumi-shop";\n${lines.join("")}`;
};

const writes = async ({ world }: Seat, work: () => Promise<unknown>) =>
  (await world.during(work)).filter((line) => !line.startsWith("GET "));

interface Kept {
  readonly id: string;
  readonly outputs: Values;
}
/** The resources of a stack's state by their names. */
const keptIn = ({ terminal }: Seat): ReadonlyMap<string, Kept> =>
  new Map(
    JSON.parse(terminal.read("backend/.pulumi/stacks/user/dev.json")).checkpoint.latest.resources.map(
      (one: { readonly urn: string }) => [one.urn.split("::").at(-1), one],
    ),
  );

/** What the shop has of each argument that is ignored. */
async function ignoredIn(seat: Seat, all: readonly Ignoring[]): Promise<Readonly<Record<string, unknown>>> {
  const kept = keptIn(seat);
  const entries = all.map(async ({ definition, name, top }) => {
    const { id = "", outputs = {} } = kept.get(name) ?? {};
    const found = await seat.world.verbs(definition).read(id, outputs);
    // A body is known by its hash.
    return [name, isBody(definition, top) ? found?.props?.sha256 : found?.props?.[top]] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Staff change what is ignored, wherever the interface can change it. @returns how many there are of it that were as they are now */
async function edit(seat: Seat, all: readonly Ignoring[], n: number, isBeside = false): Promise<number> {
  const kept = keptIn(seat);
  const editable = all.filter(({ definition: { fields, operations }, top }) => {
    const { replaces, refersTo, updateVia } = fields[top] ?? {};
    return !replaces && refersTo === undefined && (operations.edit ?? updateVia) !== undefined;
  });
  const sent = await writes(seat, async () => {
    for (const { definition, name, args, beside } of editable) {
      const { id = "", outputs: { __of, ...olds } = {} } = kept.get(name) ?? {};
      const verbs = seat.world.verbs(definition, undefined, undefined, { overwritesAll: true });
      await verbs.update(id, olds, await verbs.checked({ ...args(n), ...(isBeside && beside) }, olds));
    }
  });
  return editable.length - sent.length;
}

test.each(ways)(
  "an argument in ignoreChanges is never shown, sent, put back or in the way of a delete, whoever changes it ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, "export {};\n");
    // `npm test` tries each argument in one form.
    const every = await ignoringAll(seat.world);
    const all = partOf(
      every,
      every.filter((_one, at) => at % 2 === (way.form === "plugin" ? 0 : 1)),
    );
    const count = all.length + (way.engine === "pulumi" ? 1 : 0);
    const expectLeft = async () => {
      const sent = await writes(seat, async () => {
        const preview = await seat.done(["preview", "--diff"]);
        expect(preview).toContain(`${count} unchanged`);
        expect(preview).not.toContain("What it means");
        expect(await seat.up()).toContain(`${count} unchanged`);
      });
      expect(sent).toEqual([]);
    };
    const refresh = () => seat.done(["refresh", "--yes"]);
    for (const n of [0, 1, 2, 3, 4]) {
      seat.terminal.write(`note-${n}.txt`, `note ${n}\n`);
      seat.world.file(`note-${n}.txt`, `note ${n}\n`);
    }
    seat.program(programOf(all, 0));
    await seat.up();
    seat.program(programOf(all, 1));
    await expectLeft();
    if (full) {
      // Below, a refresh also reads edits of staff.
      await refresh();
      await expectLeft();
    }
    await edit(seat, all, 2);
    // Staff leave what the program changes beside it as the program has it.
    let isBeside = false;
    for (const n of partOf([3, 4], [3])) {
      expect(await edit(seat, all, n, isBeside)).toBeLessThanOrEqual(0);
      const edited = await ignoredIn(seat, all);
      await expectLeft();
      await refresh();
      await expectLeft();
      // What the program changes beside it is sent, and nothing else.
      isBeside = n === 3;
      seat.program(programOf(all, 1, isBeside));
      const changed = all.filter(({ beside }) => Object.keys(beside).length > 0).length;
      expect(await seat.up()).toContain(`${changed} updated`);
      expect(await ignoredIn(seat, all)).toEqual(edited);
      await expectLeft();
    }
    // The plugin knows the option only while the program has the resource.
    if (way.form === "plugin") return;
    // One edit that a refresh has read, and one that nothing has read yet.
    await edit(seat, all, 2, isBeside);
    const destroy = await seat.done(["destroy", "--yes", "--skip-preview"]);
    expect(destroy).toContain(`${count} deleted`);
    expect(destroy).not.toContain("staff");
  },
);

test.each(ways)(
  "the ignored content of an adopted file may be missing once adopt is removed ($form, $engine)",
  async (way) => {
    const program = (more: string) => `import { File } from "pulumi-shop";
new File("terms", { filename: "terms.csv", content: "ours"${more} }, { ignoreChanges: ["content"] });
`;
    const seat = await openSeat(way, "");
    const { id } = await seat.world.client.files.create({
      filename: "terms.csv",
      attachment: "b25l",
    } as never);
    seat.program(program(`, adopt: "${id}"`));
    await seat.up();
    seat.program(program(""));
    await seat.up();
    await seat.done(["preview", "--expect-no-changes"]);
    expect(seat.world.rows("file")).toHaveLength(1);
  },
);

test.each(ways)(
  "a charge whose only argument is ignored is taken over once ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, "");
    await seat.world.client.recurringCharge.create({ monthly: 12 });
    seat.program(`import { RecurringCharge } from "pulumi-shop";
new RecurringCharge("plan", { monthly: 10 }, { ignoreChanges: ["monthly"] });
`);
    await seat.up();
    await seat.up();
    await seat.done(["preview", "--expect-no-changes"]);
    expect(seat.world.rows("recurring_charge")).toMatchObject([{ monthly: "12.0" }]);
  },
);
