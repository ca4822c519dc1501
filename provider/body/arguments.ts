/**
 * The arguments and outputs of kinds with a body: `content`, `file`, `src`, `filename`, `sha256`. All such kinds use the same
 * names. Only this room and the kinds' definitions contain them (test/tidy/walls.test.ts).
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Definition, FileFact } from "../definition/define.ts";
import { isSource, type ThemeFile } from "../theme/files.ts";
import type { Values } from "../wire/codec.ts";
import { lastPart, messageOf, unknownValue, withLineFeeds } from "../wire/text.ts";
import { type Body, bodyOf, fileFact, readBody, sha256 } from "./body.ts";

export type FileArgument = typeof fileArgument;
export const fileArgument = "file";

/** The arguments that set a body; a program sets exactly one. */
export const bodyArguments = ["content", "file", "src"] as const;

/** The path of a body in messages, plans and comparisons. */
export const bodyPath = "content";
/** The path of a value in a JSON body. */
export const leafPath = (path: string): string => `${bodyPath}: ${path}`;
export const isLeafPath = (path: string): boolean => path.startsWith(`${bodyPath}: `);
/** The value's place inside the JSON. */
export const leafOf = (path: string): string => path.slice(`${bodyPath}: `.length);
/** The path as a person reads it. */
export const argumentPath = (path: string): string =>
  /^(file|src|sha256)(\.|$)/.test(path) ? bodyPath : path;
export const isBodyPath = (path: string): boolean => /^(file|content|src)\b/.test(path);

export const isBodyName = (name: string): boolean => bodyArguments.some((one) => one === name);
export const isBody = ({ body }: Definition, name: string): boolean => body !== undefined && isBodyName(name);

export const bodyArgumentsIn = (args: Values): readonly string[] =>
  bodyArguments.filter((name) => args[name] !== undefined);
/** Whether the program leaves the body to the shop. @param ignored the paths in `ignoreChanges` */
export const leavesBody = (args: Values, ignored: readonly string[]): boolean =>
  bodyArgumentsIn(args).length === 0 && ignoresBody(ignored);

/** Whether `ignoreChanges` covers the body. @param ignored its paths */
export const ignoresBody = (ignored: readonly string[]): boolean =>
  ignored.some((path) => path === "*" || isBodyName(path));
/** Whether the body isn't known in this preview. */
export const isBodyUnknown = (args: Values): boolean =>
  bodyArguments.some((name) => args[name] === unknownValue);

export const withoutBody = (args: Values): Values =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !isBodyName(name)));
/** The arguments of the body; unset ones are undefined. */
export const onlyBody = (definition: Definition, args: Values): Values =>
  definition.body === undefined
    ? {}
    : Object.fromEntries(bodyArguments.map((name) => [name, args[name]] as const));
export const withText = (args: Values, text: string): Values => ({ ...withoutBody(args), content: text });

/** The file that the argument names, as the state keeps it. */
export const fileIn = ({ file }: Values): FileFact | undefined => (isFileFact(file) ? file : undefined);
export const isFileFact = (value: unknown): value is FileFact =>
  typeof value === "object" && value !== null && "sha256" in value && "path" in value && "size" in value;

/** The address from which the shop downloads the body. */
export const sourceIn = (values: Values): unknown => values.src;
/** The text that the program contains. */
export const textIn = (args: Values): string | undefined =>
  typeof args.content === "string" ? args.content : undefined;
/** The shop's text, with LF line ends. */
export const shownText = (seen: Values): string | undefined => {
  const text = textIn(seen);
  return text === undefined ? undefined : withLineFeeds(text);
};
export const hashIn = (state: Values): unknown => state.sha256;
export const lineHashesIn = (state: Values): string | undefined =>
  typeof state.__lines === "string" ? state.__lines : undefined;
export const withHash = (hash: unknown): Values => (hash === undefined ? {} : { sha256: hash });
export const isKnownText = (state: Values): boolean => state.isText === true;
export const isKnownBytes = (state: Values): boolean => state.isText === false;

/** The hash of the program's body; undefined if the shop downloads it. */
export function wantedHash(args: Values): string | undefined {
  const text = textIn(args);
  return text === undefined ? fileIn(args)?.sha256 : sha256(text);
}

/** Whether the program's body is text. */
export const wantsText = (args: Values): boolean =>
  args.content !== undefined || (args.file !== undefined && fileIn(args)?.binary !== true);

/** Whether the program's body shows nothing. */
export function wantsBlank(args: Values): boolean {
  const text = textIn(args);
  const file = fileIn(args);
  return text === undefined ? file?.size === 0 || file?.blank === true : text.trim() === "";
}

/** Whether the program's body differs from the state's. A program without a body leaves it to the shop. */
export function bodyDiffers(definition: Definition, state: Values, args: Values): boolean {
  if (definition.body === undefined || bodyArgumentsIn(args).length === 0) return false;
  if (isBodyUnknown(args)) return true;
  if (args.src !== undefined) return args.src !== state.src;
  return wantedHash(args) !== hashIn(state);
}

/** The program's text; undefined if the body isn't text, or the file changed after the check. */
export function textOf(args: Values, folder: string): string | undefined {
  const stated = textIn(args);
  if (stated !== undefined) return stated;
  const fact = fileIn(args);
  if (fact?.path === undefined || fact.binary) return undefined;
  const path = resolve(folder, fact.path);
  if (!existsSync(path)) return undefined;
  const text = withLineFeeds(readFileSync(path, "utf8"));
  return sha256(text) === fact.sha256 ? text : undefined;
}

/** Identifies the body in the shop: a text by its hash, other bytes by their address. */
export function shownBody(address: string, seen: Values): unknown {
  const text = shownText(seen);
  return text === undefined ? seen[address] : sha256(text);
}

/** The hash of the program's body, or of its address. */
export function wantedBodyHash(definition: Definition, args: Values): string | undefined {
  if (definition.body === undefined) return undefined;
  return wantedHash(args) ?? (typeof args.src === "string" ? sha256(args.src) : undefined);
}

/** The name of the program's file: `filename`, or the last part of the path or address. */
export function wantedFileName(args: Values): string | undefined {
  if (typeof args.filename === "string") return args.filename;
  const path = fileIn(args)?.path;
  if (path !== undefined) return path.split("/").at(-1);
  return typeof args.src === "string" ? lastPart(args.src) : undefined;
}

/**
 * The body's fields in a request.
 * @throws Error if the file changed after the check
 */
export async function bodyForRequest(
  { body }: Definition,
  args: Values,
  folder: string,
  allowOutside = false,
): Promise<Values> {
  if (body === undefined || args.src !== undefined) return {};
  const found = await askedBody(args, folder, allowOutside);
  if (found === undefined) return {};
  const named = body.name === undefined ? {} : { [body.name]: wantedFileName(args) };
  if (body.text !== undefined && found.text !== undefined) return { [body.text]: found.text, ...named };
  return { [body.bytes]: found.bytes.toString("base64"), ...named };
}

async function askedBody(args: Values, folder: string, allowOutside: boolean): Promise<Body | undefined> {
  const text = textIn(args);
  if (text !== undefined) return bodyOf(Buffer.from(text));
  const fact = fileIn(args);
  if (fact === undefined) return undefined;
  const body = await readBody(fact.path, folder, allowOutside);
  if (sha256(body.bytes) === fact.sha256) return body;
  throw new Error(`${fact.path} changed during the run; run again to preview its new content`);
}

/** Sets the name that the shop gave the file, if the program sets one. */
export const withFileName = (args: Values, state: Values, name: string | undefined): Values =>
  args.filename === undefined || name === undefined ? state : { ...state, filename: name };

/** The argument for the body that the shop has: its text, or the address of its bytes. */
export function bodyAsArgument({ body }: Definition, url: string, seen: Values): Values {
  if (body === undefined) return {};
  const text = body.text === undefined ? undefined : shownText(seen);
  if (text !== undefined) return { content: text };
  const address = seen[body.address];
  return typeof address === "string" ? { src: new URL(address, url).href } : {};
}

/** A body for a comparison: its text, or the hash of its bytes. @param body undefined if it isn't known */
export const comparableBody = (body: string | Buffer | undefined): readonly (readonly [string, string])[] =>
  body === undefined ? [] : typeof body === "string" ? [[bodyPath, body]] : [["sha256", sha256(body)]];

export const sourceArgument = (address: string): Values => ({ src: address });
/** The path that a program gives to the file argument. */
export const filePath = ({ file }: Values): string | undefined =>
  typeof file === "string" ? file : undefined;

export const fileArgumentValue = (path: string): Values => ({ file: path });

/** The object as a file of a theme. @param text undefined if it wasn't read */
export const themeFileOf = (values: Values, text?: string): ThemeFile => ({
  type: values.type as ThemeFile["type"],
  name: String(values.name),
  text,
  path: fileIn(values)?.path,
});

interface Wrong {
  readonly property: string;
  readonly reason: string;
}

/** The reason why a shop can't take a file's bytes. */
function bytesReason(
  { body }: Definition,
  inputs: Values,
  { path, size, binary }: FileFact,
): string | undefined {
  if (body?.text === undefined)
    return size === 0 ? `${path} is empty, and a shop doesn't accept an empty file` : undefined;
  return binary && body.theme && isSource(themeFileOf(inputs))
    ? `${path} is not UTF-8 text, or contains control characters: save it as UTF-8 without them`
    : undefined;
}

interface Folder {
  readonly folder: string;
  readonly allowOutside?: boolean | undefined;
}

/** Checks the arguments of the body, and replaces a path by the file's size and hash. @returns the failures */
export async function checkBody(
  definition: Definition,
  inputs: Record<string, unknown>,
  { folder, allowOutside }: Folder,
): Promise<readonly Wrong[]> {
  const failures: Wrong[] = [];
  const stated = bodyArgumentsIn(inputs);
  if (stated.length !== 1) {
    const reason =
      stated.length === 0
        ? "one of content, file and src is required"
        : `only one of ${stated.join(" and ")} may be set`;
    failures.push({ property: stated[1] ?? "content", reason });
  }
  if (definition.body?.text === undefined && inputs.content === "")
    failures.push({ property: "content", reason: "must not be empty: a shop doesn't accept an empty file" });
  const { file } = inputs;
  if (typeof file === "string" && file !== unknownValue) {
    try {
      const fact = await fileFact(file, folder, allowOutside);
      inputs.file = fact;
      const reason = bytesReason(definition, inputs, fact);
      if (reason !== undefined) failures.push({ property: "file", reason });
    } catch (error) {
      failures.push({ property: "file", reason: messageOf(error) });
    }
  }
  if (definition.body?.name !== undefined && inputs.content !== undefined && inputs.filename === undefined)
    failures.push({ property: "filename", reason: "is required with content" });
  return failures;
}
