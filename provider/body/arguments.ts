/**
 * The names under which each kind with a body states it, keeps it and shows it, and what stands there: a user learns them
 * once, for every such kind. Nobody else says these names (test/tidy/walls.test.ts), but the kinds that declare them.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Definition, FileFact } from "../definition/define.ts";
import type { ThemeFile } from "../theme/files.ts";
import type { Values } from "../wire/codec.ts";
import { lastPart, messageOf, unknownValue, withLineFeeds } from "../wire/text.ts";
import { fileFact, sha256 } from "./body.ts";

/** The argument that names a file of the project. */
export type FileArgument = typeof fileArgument;
export const fileArgument = "file";

/** The arguments by which a body is stated: just one of them. */
export const bodyArguments = ["content", "file", "src"] as const;

/** The path under which a message, a plan or a comparison tells of a body, however it is stated. */
export const bodyPath = "content";
/** The path of a value inside a body that is JSON. */
export const leafPath = (path: string): string => `${bodyPath}: ${path}`;
export const isLeafPath = (path: string): boolean => path.startsWith(`${bodyPath}: `);
/** The place inside of the JSON that such a path names. */
export const leafOf = (path: string): string => path.slice(`${bodyPath}: `.length);
/** The path of a body's text, or of what is kept of it, as a person reads it. */
export const argumentPath = (path: string): string =>
  /^(file|src|sha256)(\.|$)/.test(path) ? bodyPath : path;
/** Whether a path is a body's, or inside of what is kept of one. */
export const isBodyPath = (path: string): boolean => /^(file|content|src)\b/.test(path);

/** Whether an argument states a body, by its name alone. */
export const isBodyName = (name: string): boolean => bodyArguments.some((one) => one === name);
/** Whether an argument of a kind states its body. */
export const isBody = ({ body }: Definition, name: string): boolean => body !== undefined && isBodyName(name);

export const bodyArgumentsIn = (args: Values): readonly string[] =>
  bodyArguments.filter((name) => args[name] !== undefined);
/** Whether nothing states a body, because the program leaves it to the shop. @param ignored what `ignoreChanges` names */
export const leavesBody = (args: Values, ignored: readonly string[]): boolean =>
  bodyArgumentsIn(args).length === 0 && ignored.some((path) => path === "*" || isBodyName(path));
/** Whether it will be known later what the body is. */
export const isBodyUnknown = (args: Values): boolean =>
  bodyArguments.some((name) => args[name] === unknownValue);

export const withoutBody = (args: Values): Values =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !isBodyName(name)));
/** Only the body of the arguments; what doesn't state it is undefined. */
export const onlyBody = (definition: Definition, args: Values): Values =>
  definition.body === undefined
    ? {}
    : Object.fromEntries(bodyArguments.map((name) => [name, args[name]] as const));
export const withText = (args: Values, text: string): Values => ({ ...withoutBody(args), content: text });

/** What is kept of the file that states the body. */
export const fileIn = (values: Values): FileFact | undefined => values.file as FileFact | undefined;
/** Whether a value is what is kept of a file. */
export const isFileFact = (value: unknown): value is FileFact =>
  typeof value === "object" && value !== null && "sha256" in value && "path" in value && "size" in value;

/** The address from which the shop fetches the body. */
export const sourceIn = (values: Values): unknown => values.src;
/** The text that is stated as it stands in the program. */
export const textIn = (args: Values): string | undefined =>
  typeof args.content === "string" ? args.content : undefined;
/** The text that a shop shows, with our line ends. */
export const shownText = (seen: Values): string | undefined => {
  const text = textIn(seen);
  return text === undefined ? undefined : withLineFeeds(text);
};
/** The hash of the body that the state knows. */
export const hashIn = (state: Values): unknown => state.sha256;
/** The lines that the state knows of a body that is text, as hashes (lines.ts). */
export const lineHashesIn = (state: Values): string | undefined =>
  typeof state.__lines === "string" ? state.__lines : undefined;
/** What a state says of a body of this hash. */
export const withHash = (hash: unknown): Values => (hash === undefined ? {} : { sha256: hash });
/** Whether the state knows the body to be text. */
export const isKnownText = (state: Values): boolean => state.isText === true;
/** Whether the state knows the body to be none. */
export const isKnownBytes = (state: Values): boolean => state.isText === false;

/** The hash of the body that the arguments ask for; undefined where the shop fetches it itself. */
export function wantedHash(args: Values): string | undefined {
  const text = textIn(args);
  return text === undefined ? fileIn(args)?.sha256 : sha256(text);
}

/** Whether the body that is asked for is text. */
export const wantsText = (args: Values): boolean =>
  args.content !== undefined || (args.file !== undefined && fileIn(args)?.binary !== true);

/** Whether there is nothing to see in the body that is asked for. */
export function wantsBlank(args: Values): boolean {
  const text = textIn(args);
  const file = fileIn(args);
  return text === undefined ? file?.size === 0 || file?.blank === true : text.trim() === "";
}

/** Whether the body that is asked for is another than the state's; where none is, it is left to the shop. */
export function bodyDiffers(definition: Definition, state: Values, args: Values): boolean {
  if (definition.body === undefined || bodyArgumentsIn(args).length === 0) return false;
  if (isBodyUnknown(args)) return true;
  if (args.src !== undefined) return args.src !== state.src;
  return wantedHash(args) !== hashIn(state);
}

/** The text that the arguments ask for; undefined where it is none, or the file is no longer what check saw. */
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

/** What a look saw of a body: its text by the hash; one that the shop shows no text of by its address. */
export function shownBody(address: string, seen: Values): unknown {
  const text = shownText(seen);
  return text === undefined ? seen[address] : sha256(text);
}

/** The body that arguments ask for, or its address, as a hash. */
export function wantedBodyHash(definition: Definition, args: Values): string | undefined {
  if (definition.body === undefined) return undefined;
  return wantedHash(args) ?? (typeof args.src === "string" ? sha256(args.src) : undefined);
}

/** A file's name as arguments ask for it: stated, else the path's or the address's last part. */
export function wantedFileName(args: Values): string | undefined {
  if (typeof args.filename === "string") return args.filename;
  const path = fileIn(args)?.path;
  if (path !== undefined) return path.split("/").at(-1);
  return typeof args.src === "string" ? lastPart(args.src) : undefined;
}

/** A state with the name that the shop gave a file, where the program states one. */
export const withFileName = (args: Values, state: Values, name: string | undefined): Values =>
  args.filename === undefined || name === undefined ? state : { ...state, filename: name };

/** An object's body as a program states what is there: a text as it is, bytes by the address that serves them. */
export function bodyAsArgument({ body }: Definition, url: string, seen: Values): Values {
  if (body === undefined) return {};
  const text = body.text === undefined ? undefined : shownText(seen);
  if (text !== undefined) return { content: text };
  const address = seen[body.address];
  return typeof address === "string" ? { src: new URL(address, url).href } : {};
}

/** What two bodies are compared by: a text as it is, bytes by their hash. @param body undefined where it isn't known */
export const comparableBody = (body: string | Buffer | undefined): readonly (readonly [string, string])[] =>
  body === undefined ? [] : typeof body === "string" ? [[bodyPath, body]] : [["sha256", sha256(body)]];

export const sourceArgument = (address: string): Values => ({ src: address });
export const fileArgumentValue = (path: string): Values => ({ file: path });

/** The file that an object of a theme is. @param text undefined where nobody reads it */
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

interface Folder {
  readonly folder: string;
  readonly allowOutside?: boolean | undefined;
}

/** Checks the body of arguments, and replaces the path of a file by what is kept of it. @returns what is wrong */
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
  const { file } = inputs;
  if (typeof file === "string" && file !== unknownValue) {
    try {
      inputs.file = await fileFact(file, folder, allowOutside);
    } catch (error) {
      failures.push({ property: "file", reason: messageOf(error) });
    }
  }
  if (definition.body?.name !== undefined && inputs.content !== undefined && inputs.filename === undefined)
    failures.push({ property: "filename", reason: "is required with content" });
  return failures;
}
