/** Turns objects into resources: a name, arguments, and a body file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Definition, isRequired, writtenFormsOf } from "../../provider/definition/define.ts";
import {
  fileArgumentValue,
  pathsNotPulled,
  programArguments,
  type ReferredObjects,
  type ShopObject,
  shownText,
  sourceArgument,
  titleOf,
  type Values,
} from "../../provider/inventory/index.ts";
import { toWrittenForm } from "../../provider/names/written-forms.ts";
import { plural } from "../../runs/command.ts";
import { fileName, folderName, freePath, openNames, slug } from "./code.ts";
import { adoptOf, type ExistingKind } from "./existing-program.ts";
import type { Resource } from "./module-text.ts";
import { alike, type Holders, referring } from "./references.ts";

export interface Pulled {
  readonly definition: Definition;
  /** The name of the module, and of the folder for bodies. */
  readonly group: string;
  readonly objects: readonly ShopObject[];
  /** The client's name for the kind. */
  readonly client: string;
  readonly known: ExistingKind;
  /** The objects that the program's data sources find. */
  readonly found: ReferredObjects;
}

export interface Naming {
  readonly url: string;
  /** The program's folder, which may contain files. */
  readonly home: string;
  readonly holders: Holders;
}

/** The output of a pull, shared by all kinds. */
export interface Written {
  readonly files: Map<string, string | Buffer>;
  readonly notices: string[];
  /** Used paths in lower case. */
  readonly paths: Set<string>;
  /** Files to delete, from the program's folder. */
  readonly removed: string[];
}

export function writeResources(pulled: Pulled, naming: Naming, written: Written): readonly Resource[] {
  const { definition, objects, known } = pulled;
  const names = openNames(known.taken);
  const left = new Map<string, number>();
  const resources = objects.flatMap((object): readonly Resource[] => {
    const { seen, id } = object;
    const { args, leftOut } = programArguments(definition, seen);
    const adopt = adoptOf(definition, id);
    const labels = referring(definition).flatMap(
      ([name, field]) => naming.holders(field, seen[name])?.label ?? [],
    );
    const title = titleOf(definition, seen);
    const name = known.nameOf(adopt) ?? names(slug(title), slug([...labels, title].join(" ")));
    for (const { path, reason } of leftOut)
      written.notices.push(`${definition.kind} ${name}: ${path} is left out: ${reason}`);
    const lacks = Object.entries(definition.fields).filter(
      ([name, field]) => isRequired(field) && args[name] === undefined,
    );
    const body = bodyArgument(pulled, object, { labels, name, naming }, written);
    if (lacks.length > 0) {
      const what = lacks.map(([field]) => field).join(", ");
      written.notices.push(`${definition.kind} ${id} is left out: it has no ${what}`);
    }
    if (lacks.length > 0 || body === undefined) return [];
    for (const path of pathsNotPulled(definition.fields, seen)) left.set(path, (left.get(path) ?? 0) + 1);
    return [{ name, adopt, args: { ...toWrittenForm(writtenFormsOf(definition.fields), args), ...body } }];
  });
  for (const name of alike(definition, resources))
    left.set(name, resources.filter(({ args }) => args[name] !== undefined).length);
  if (left.size > 0) {
    const what = [...left].map(([path, count]) => `${path} (${plural(count, "object")})`).join(", ");
    written.notices.push(`${definition.kind}: the program leaves these as they are in the shop: ${what}`);
  }
  return resources;
}

/** The arguments for an object's body; undefined if the body isn't available. */
function bodyArgument(
  { definition, group, known }: Pulled,
  { seen, bytes }: ShopObject,
  {
    labels,
    name,
    naming,
  }: { readonly labels: readonly string[]; readonly name: string; readonly naming: Naming },
  written: Written,
): Values | undefined {
  const { body } = definition;
  if (body === undefined) return {};
  const text = shownText(seen);
  if (text === undefined && !Buffer.isBuffer(bytes)) {
    const why = bytes instanceof Error ? bytes.message : "the shop doesn't show it";
    const address = seen[body.address];
    if (typeof address !== "string") {
      written.notices.push(`${definition.kind} ${name} is left out: its content isn't available: ${why}`);
      return undefined;
    }
    written.notices.push(
      `${definition.kind} ${name}: its content is only at its address, which disappears with the object; save it as a file of the project: ${why}`,
    );
    return sourceArgument(new URL(address, naming.url).href);
  }
  const content = text ?? (bytes as Buffer);
  // The folders of a theme on disk.
  const marks = Object.entries(definition.fields).flatMap(([field, { values }]) =>
    values === undefined || typeof seen[field] !== "string"
      ? []
      : [(seen[field] as string).split("::").at(-1) ?? ""],
  );
  const title = titleOf(definition, seen);
  const wish = [group, ...[...labels, ...marks].map(folderName), fileName(title)].join("/");
  const kept = known.bodyOf(name);
  const mayHave = (path: string) => {
    const place = join(naming.home, path);
    return (
      !written.paths.has(path.toLowerCase()) &&
      (!existsSync(place) || known.ownsBody(path) || readFileSync(place).equals(Buffer.from(content)))
    );
  };
  // Two resources may have used the same file; two bodies need two files.
  const file = kept === undefined || written.files.has(kept) ? freePath(wish, mayHave) : kept;
  written.paths.add(file.toLowerCase());
  written.files.set(file, content);
  // In other shops the object keeps this name, even if a file can't have it.
  const isRenamed = body.name !== undefined && file.split("/").at(-1) !== title;
  return isRenamed ? { ...fileArgumentValue(file), [body.name as string]: title } : fileArgumentValue(file);
}
