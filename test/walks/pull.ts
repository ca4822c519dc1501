/**
 * `pull` in a walk: the program as files, the result of pull, and the program in these files. Files are read by
 * running them with classes that record their arguments.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryOf } from "../../cli/pull/entry.ts";
import type { Adopted } from "../../cli/pull/existing-program.ts";
import { writeProgram } from "../../cli/pull/program.ts";
import { readShop } from "../../cli/pull/read-shop.ts";
import { adoptedText } from "../../cli/pull/scaffold.ts";
import type { Stack } from "../../engine/index.ts";
import { toSentForm } from "../../provider/names/written-forms.ts";
import { resources } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { naturals } from "../../sdk/outputs.ts";
import type { House } from "./house.ts";
import { sheetKind, walkKinds } from "./kinds.ts";
import type { Entry } from "./program.ts";

/** A program as files. */
export interface Files {
  readonly program: readonly Entry[];
  /** The content of `adopt.dev.json`: ids by name, by kind. */
  readonly adopted: Adopted;
}

export interface Pulled extends Files {
  /** Written texts by path. */
  readonly written: ReadonlyMap<string, string>;
  /** The program's entry before and after; the user's lines are at its beginning. */
  readonly entry: { readonly before: string; readonly after: string };
  /** Modules that the user wrote. */
  readonly own: readonly string[];
  readonly notices: readonly string[];
}

const entryPath = "index.ts";

/** Pulls these kinds, or all, into the folder of a program. */
export async function pull(
  house: House,
  { program, adopted }: Files,
  kinds: readonly string[],
  onlyNew: boolean,
): Promise<Pulled> {
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-walk-"));
  try {
    const before = textsOf(program, adopted);
    for (const [path, text] of before) writeFileSync(join(home, path), text);
    return await house.reads(async (shop, stack) => {
      const wanted = resources.filter(([, { kind }]) => kinds.length === 0 || kinds.includes(kind));
      // Walks change single files, so their program declares the files one by one.
      const known = { Asset: {}, ...adopted };
      const target = { folder: home, home, stack: "dev", project: at(stack, home), adopted: known, onlyNew };
      const read = await readShop(shop, wanted, target, silent);
      const { url } = shop.connection;
      const made = writeProgram({ ...read, url, stack: "dev", home });
      const entry = entryOf({ home, stated: entryPath, isCompiled: false, url }, made.modules);
      const written = new Map([...made.files].map(([path, content]) => [path, content.toString()]));
      const after = entry.text ?? before.get(entryPath) ?? "";
      const now = JSON.parse(adoptedText(adopted, made.adopted)) as Adopted;
      return {
        program: programAfter(program, written, after, now, house),
        adopted: now,
        written,
        entry: { before: before.get(entryPath) ?? "", after },
        own: [...before.keys()].filter((path) => !isPulled(program, path)),
        notices: [...read.notices, ...made.notices, ...entry.notices],
      };
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

const silent = {
  isLive: false,
  print: () => {},
  complain: () => {},
  live: () => {},
  flush: () => {},
  paint: (_colour: unknown, text: string) => text,
};

const at = (stack: Stack, home: string): Stack => ({
  ...stack,
  project: { ...stack.project, programFolder: home, stackFolder: home },
});

const isPulled = (program: readonly Entry[], path: string) =>
  program.some(({ module, isPulled: pulled }) => `${module}.ts` === path && pulled === true);

/** The files of a program: an entry, and its modules. */
export function textsOf(program: readonly Entry[], adopted: Adopted): ReadonlyMap<string, string> {
  const modules = Map.groupBy(program, ({ module }) => module ?? "");
  const texts = [...modules].map(([module, entries]): readonly [string, string] => [
    module === "" ? entryPath : `${module}.ts`,
    [
      headOf(entries, module === "" ? [...modules.keys()] : []),
      ...entries.map((one) => codeOf(one, adopted)),
    ].join("\n"),
  ]);
  const entry = texts.some(([path]) => path === entryPath)
    ? []
    : [[entryPath, headOf([], [...modules.keys()])] as const];
  return new Map([...texts, ...entry]);
}

function headOf(entries: readonly Entry[], modules: readonly string[]): string {
  const hasOther = entries.some(({ shop }) => shop !== undefined);
  const used = entries.map(({ kind }) => kind);
  const classes = [...new Set([...used, ...(hasOther ? ["Provider"] : [])])].toSorted();
  return [
    "// A person's own line.",
    ...(classes.length === 0 ? [] : [`import { ${classes.join(", ")} } from "pulumi-shop";`]),
    ...(entries.some(({ isPulled: pulled }) => pulled) ? ['import { adopt } from "./adopt.ts";'] : []),
    ...modules.filter((module) => module !== "").map((module) => `import "./${module}.ts";`),
    ...(hasOther ? ['const other = new Provider("other", { url: "http://127.0.0.1:4002" });'] : []),
    "",
  ].join("\n");
}

function codeOf(entry: Entry, adopted: Adopted): string {
  const { kind, name, args, aliases, ignoreChanges, isPulled: pulled } = entry;
  const known = pulled && Object.entries(adopted[kind] ?? {}).find(([, id]) => id === args.adopt);
  const values = Object.entries(args).map(
    ([argument, value]) =>
      `${argument}: ${argument === "adopt" && known ? `adopt("${kind}", ${JSON.stringify(known[0])})` : JSON.stringify(value)}`,
  );
  const options = {
    ...(aliases !== undefined && { aliases: aliases.map((before) => ({ name: before })) }),
    ...(ignoreChanges !== undefined && { ignoreChanges }),
  };
  const stated = JSON.stringify(options).slice(1, -1);
  const all = [stated, entry.shop && "provider: other"].filter(Boolean).join(", ");
  const more = all === "" ? "" : `, { ${all} }`;
  return `new ${kind}(${JSON.stringify(name)}, { ${values.join(", ")} }${more});\n`;
}

/** The program in the files: written modules and unchanged ones. */
function programAfter(
  program: readonly Entry[],
  written: ReadonlyMap<string, string>,
  entry: string,
  adopted: Adopted,
  house: House,
): readonly Entry[] {
  const left = program.filter(({ module }) => module === undefined || !written.has(`${module}.ts`));
  const isImported = (module: string) => entry.includes(`import "./${module}.ts";`);
  const made = [...written].flatMap(([path, text]) => {
    const module = path.replace(/\.ts$/, "");
    return path.endsWith(".ts") && isImported(module) ? ran(module, text, written, adopted, house) : [];
  });
  return [...left.filter(({ module }) => module === undefined || isImported(module)), ...made];
}

/** The entries of a module's text. */
export function ran(
  module: string,
  text: string,
  written: ReadonlyMap<string, string>,
  adopted: Adopted,
  house: House,
): readonly Entry[] {
  const entries: Entry[] = [];
  const classes = Object.fromEntries(
    [...resources.map(([, { kind }]) => kind), sheetKind.kind].map((kind) => [
      kind,
      function noting(name: string, { file, ...args }: Values) {
        const body = file === undefined ? {} : { content: written.get(String(file)) };
        entries.push({
          kind,
          name,
          module,
          isPulled: true,
          ...placeOf(kind, args),
          // Walks change single values, so their program has them in the provider's form.
          args: toSentForm(naturals[kind] ?? {}, { ...named(kind, file), ...args, ...body }),
        });
      },
    ]),
  );
  const themes = house.rows("theme");
  const library = {
    ...classes,
    Provider: function made() {},
    getThemeOutput: ({ title }: { readonly title: string }) => themes.find((theme) => theme.title === title),
  };
  const adopt = (kind: string, name: string) => adopted[kind]?.[name];
  const code = text.replaceAll(/^import \{(.*)\} from "pulumi-shop";$/gm, "const {$1} = library;");
  const run = new Function("library", "adopt", "pulumi", code.replaceAll(/^import .*$|^export \{\};$/gm, ""));
  run(library, adopt, { getStack: () => "dev" });
  return entries;
}

// A file's name in the shop is its name on disk, unless the program sets another one.
const named = (kind: string, file: unknown): Values =>
  kind === "File" && file !== undefined ? { filename: String(file).split("/").at(-1) } : {};

/** The walk's kind, without the program's own slots. */
function placeOf(kind: string, args: Values) {
  const isSettings = String(args.name ?? "").endsWith(".json");
  const found = walkKinds.findIndex(
    (one) => one.kind === kind && (kind !== "Asset" || isSettings === (one.slots === 1)),
  );
  return { kindAt: found, slot: Number.POSITIVE_INFINITY };
}
