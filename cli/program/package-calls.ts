/** Calls of packages and of JavaScript's own functions whose result is written in the program or in a file beside it. */
import { dirname, join, resolve } from "node:path";
import type { Imported } from "./scopes.ts";
import type { Place } from "./sources.ts";
import { computed, plainOf, type Setting, scalar, type Traced, valuesIn } from "./traced-values.ts";

interface Calling {
  readonly at: Place;
  /** The value of `pulumi.getStack()`; undefined for any. */
  readonly stack: string | undefined;
  /** The values of a JSON file; another file's text if it is read as text. */
  readonly read: (path: string, isText: boolean) => Traced | undefined;
}

/** The result of a package's function. A file's address counts as its path, and a JSON file's text as its values. */
export function ofPackage(
  { module, name }: Imported,
  args: readonly Traced[],
  { at, stack, read }: Calling,
): Traced {
  const [first, second] = args;
  const texts = args.map(plainOf).filter((one) => typeof one === "string");
  switch (`${module.replace("node:", "")} ${name}`) {
    case "@pulumi/pulumi getStack":
      return stack === undefined ? computed(at) : scalar(stack, at);
    case "fs readFileSync":
    case "fs/promises readFile":
      return (texts[0] === undefined ? undefined : read(texts[0], isUtf8Named(second))) ?? computed(at);
    case "path join":
    case "path resolve":
      return texts.length === args.length
        ? scalar((name === "join" ? join : resolve)(...texts), at)
        : computed(at);
    case "@pulumi/pulumi output":
    case "url fileURLToPath":
      return first ?? computed(at);
    default: {
      const kind = module === "pulumi-shop" ? /^get([A-Z]\w*?)(?:Output)?$/.exec(name)?.[1] : undefined;
      return kind === undefined
        ? computed(at)
        : { type: "computed", at, lookup: { kind, by: valuesIn(first) } };
    }
  }
}

/** Whether the argument behind a path asks for a text: `"utf8"`, `{ encoding: "utf8" }`. */
const isUtf8Named = (options: Traced | undefined) =>
  /^utf-?8$/i.test(String((options && plainOf(options)) ?? valuesIn(options).encoding));

/** An object of a class that isn't the program's own. A Map or a Set iterates over its list. */
export function ofNew(
  { module, name }: Pick<Imported, "name"> & Partial<Imported>,
  [first, base]: readonly Traced[],
  at: Place,
): Traced | undefined {
  const [one, other] = [first, base].map((given) => given && plainOf(given));
  if (name === "URL" && typeof other === "string") return scalar(resolve(dirname(other), String(one)), at);
  if (name === "Config" && module === "@pulumi/pulumi") return { type: "computed", at, setting: { of: one } };
  return (name === "Map" || name === "Set") && first?.type === "list"
    ? { ...first, isLiteral: false }
    : undefined;
}

/** A setting that a program reads with a method of `pulumi.Config`. */
export function ofSetting({ of }: Setting, method: string, args: readonly Traced[], at: Place): Traced {
  const key = args[0] && plainOf(args[0]);
  const isRead = /^(get|require)(Secret)?(Number|Boolean)?$/.test(method) && typeof key === "string";
  return isRead ? { type: "computed", at, setting: { of, key } } : computed(at);
}

/** A literal that JavaScript's own function converts is still that literal; undefined for any other value or function. */
export function ofGlobal(name: string, of: Traced | undefined): Traced | undefined {
  if (name === "structuredClone") return of;
  if (of?.type !== "scalar") return undefined;
  if (name === "String") return { ...of, value: String(of.value) };
  return ["Number", "parseFloat", "parseInt"].includes(name) ? { ...of, value: Number(of.value) } : undefined;
}
