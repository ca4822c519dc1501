/** Refuses what a program writes before a name or an argument reaches the SDK, which would take it for something else. */
import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/common/record.ts";
import { typeMade } from "../engine/pulumi/sdk-internals.ts";
import { kindOfType } from "../provider/names/types.ts";

/** @throws Error if the name is missing, or contains a missing value: the SDK would accept both. */
export function refuseNoName(kind: string, name: unknown): void {
  const wrong = wrongName(name);
  if (wrong === undefined) return;
  throw new Error(
    `the name of a ${kind} is ${wrong}: write a name of your own first, new ${kind}("name", { ... })`,
  );
}

function wrongName(name: unknown): string | undefined {
  if (typeof name !== "string") return "not a string";
  if (name.trim() === "") return "empty";
  if (/Calling \[to\w+\] on an \[Output<T>\]|\[object \w+\]/.test(name))
    return "a string with an object or an Output in it";
  const [missing] = /\b(?:undefined|NaN)\b/.exec(name) ?? [];
  return missing === undefined ? undefined : `${JSON.stringify(name)}, made from a value that is ${missing}`;
}

/** @throws Error if the options are a text or a list: nothing would read them. */
export function refuseNoOptions(kind: string, opts: unknown): void {
  if (opts === undefined || opts === null || (typeof opts === "object" && !Array.isArray(opts))) return;
  const given = Array.isArray(opts) ? "a list" : `a ${typeof opts}`;
  throw new Error(`the options of a ${kind} are ${given}: write an object, such as { protect: true }`);
}

/**
 * @throws Error if it names a resource of a shop: no shop deletes one object together with another, and no engine would
 * ask the provider to
 */
export function refuseDeletedWith(name: string, other: unknown): void {
  const kind = kindOfType(typeMade(other) ?? "");
  if (kind === undefined) return;
  throw new Error(
    `deletedWith of ${name}: a shop deletes nothing together with a ${kind}, so the object would stay, and a replacement would create a second one: write dependsOn, or retainOnDelete: true to leave it in the shop`,
  );
}

/**
 * @throws Error if the arguments are a text, a list or something known later: the SDK would take letters or items for
 * arguments, or none
 */
export function refuseNoArguments(kind: string, args: unknown): void {
  if (typeof args === "object" && args !== null && "id" in args && args.id !== undefined)
    throw new Error(
      `the arguments of a ${kind} have an id, which only the shop sets: to manage an object of the shop by its id, write adopt: "8841"`,
    );
  const given = notArguments(args);
  if (given === undefined) return;
  throw new Error(`the arguments of a ${kind} are ${given}: write an object, new ${kind}("name", { ... })`);
}

function notArguments(args: unknown): string | undefined {
  if (args === undefined || args === null) return undefined;
  if (args instanceof Promise) return "a Promise, which has to be awaited";
  if (pulumi.Output.isInstance(args)) return "an Output, and only each of them may be one";
  if (Array.isArray(args)) return "a list";
  return typeof args === "object" ? undefined : `a ${typeof args}`;
}

/** @throws Error if the id is missing or a number: the SDK would create a new object, or the provider couldn't read it. */
export function refuseNoId(kind: string, name: unknown, id: unknown): void {
  if (id !== undefined && id !== null && id !== "" && typeof id !== "number") return;
  const given = typeof id === "number" ? `${id}, a number` : id === "" ? "empty" : String(id);
  throw new Error(
    `the id in ${kind}.get is ${given}: write the object's id as a string, ${kind}.get(${JSON.stringify(name)}, "${id || 8841}")`,
  );
}

/**
 * Pulumi's SDK would take a value of these for an empty object, a list of bytes, or nothing, and not say so.
 * @throws Error for such an argument, and for one that holds itself: it has no end
 */
export function refuseUnsendable(what: string, args: object): void {
  for (const [name, value] of Object.entries(args ?? {})) {
    const wrong = unsendable(name, value, [args]);
    if (wrong !== undefined) throw new Error(`${what}: ${wrong}`);
  }
}

function unsendable(path: string, value: unknown, above: readonly unknown[]): string | undefined {
  if (typeof value === "string" && !value.isWellFormed()) return halfText(path, value);
  const type = unsendableType(value);
  if (type !== undefined)
    return `${path} is ${/^[AEIO]/.test(type) ? "an" : "a"} ${type}: write ${instead[type] ?? instead.Object}`;
  if (!Array.isArray(value) && !isPlain(value)) return undefined;
  if (above.includes(value)) return `${path} contains itself, so it never ends`;
  for (const [key, one] of Object.entries(value)) {
    if (!key.isWellFormed()) return halfText(`a key of ${path}`, key);
    const wrong = unsendable(Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, one, [
      ...above,
      value,
    ]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const halfText = (path: string, text: string) =>
  `${path} contains half of a character at position ${text.search(/\p{Cs}/u)}: cut a text by its characters, [...text].slice(0, 60).join("")`;

function unsendableType(value: unknown): string | undefined {
  if (["bigint", "symbol", "function"].includes(typeof value)) return typeof value;
  if (typeof value !== "object" || value === null || isPlain(value) || Array.isArray(value)) return undefined;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return undefined;
  return ArrayBuffer.isView(value) || Object.keys(value).length === 0 ? value.constructor?.name : undefined;
}

const instead: Readonly<Record<string, string>> = {
  bigint: "a number, or its digits as a string",
  function: "its result: add () to its name",
  Date: 'a string such as "2027-01-31"',
  Map: "an object, Object.fromEntries(map)",
  Set: "a list, [...set]",
  URL: "its text, url.href",
  Object: "a string, a number, true, false, a list or an object",
};
