/** What a state keeps of a body, never the body itself, and the arguments that would have made such a state. */

import type { Definition, FileFact } from "../definition/define.ts";
import { programFolder } from "../settings/folder.ts";
import { namesIn } from "../settings/protocol.ts";
import type { Values } from "../wire/codec.ts";
import { valuesOf } from "../wire/values.ts";
import {
  bodyArgumentsIn,
  fileIn,
  hashIn,
  isBodyName,
  shownText,
  textOf,
  wantedHash,
  wantsText,
  withHash,
} from "./arguments.ts";
import { sha256 } from "./body.ts";
import { isSameValues, jsonValues, printValueHashes } from "./json.ts";
import { printLineHashes } from "./lines.ts";

/** Arguments that no answer carries, kept to be compared with later ones. */
export const keptArguments = ["src", "file", "filename"] as const;

/** The kept arguments of values that have them. */
export const keptOf = (values: Values): Values => pick(values, keptArguments);

/** By what a state knows a body: as a whole, by the values of its JSON, by its lines. */
const digests = ["sha256", "__leaves", "__lines"];

/** What a state knows of a body that the program wrote: a refresh may find another. */
export const bodyInState = (state: Values): Values => pick(state, [...digests, "file", "src"]);

/** What a state says beside it of a body that was asked for otherwise: its digests. */
const bodyDigests = (values: Values): Values => pick(values, digests);
export const isBodyDigest = (name: string): boolean => digests.includes(name);

/**
 * A state with the digests of the body that was last asked for. All are of that one text: the lines of what a refresh read
 * are no base for what the program asks.
 */
export function withBodyBase(state: Values, asked: Values): Values {
  const own = bodyDigests(asked);
  if (Object.keys(own).length === 0) return state;
  const others = Object.entries(state).filter(([name]) => !isBodyDigest(name));
  return { ...Object.fromEntries(others), ...own };
}

/** The digests of a body that arguments ask for, where the state has another. */
export function bodyBase(definition: Definition, args: Values, state: Values, folder: string): Values {
  const hash = wantedHash(args);
  if (definition.body?.text === undefined || hash === undefined || hash === hashIn(state)) return {};
  const isKept = state.__leaves !== undefined || state.__lines !== undefined;
  return { ...withHash(hash), ...(isKept && bodyParts(state.__leaves !== undefined, textOf(args, folder))) };
}

/** The same of JSON that the state has with the same values in another layout; nothing of any other body. */
export function layoutBase(definition: Definition, args: Values, state: Values, folder: string): Values {
  const asked = bodyBase(definition, args, state, folder);
  return isSameValues(asked.__leaves, state.__leaves) ? asked : {};
}

/** The digests of the body that was last asked for, where a refresh has read another. @param asked of the state before */
export function keepBodyBase(definition: Definition, olds: Values, state: Values, asked: Values): Values {
  if (definition.body?.text === undefined || ![...setPathsIn(olds)].some(isBodyName)) return {};
  const before = bodyDigests(withBodyBase(olds, asked));
  return hashIn(before) === undefined || hashIn(before) === hashIn(state) ? {} : before;
}

/** Among the outputs: values by field, those of items by the shop's number of the item; of a body its digests. */
export const baseKey = "__asked";
/** What was asked where the shop has something else, by field. */
export const baseIn = (state: Values): Values => valuesOf(state[baseKey]);

/** The paths that a program stated of an object, as its state has them. */
export const setPathsIn = ({ __stated }: Values): ReadonlySet<string> => new Set(namesIn(__stated));

/** The arguments of a body that the shop has as they ask for it. */
export const acceptedBody = (state: Values, args: Values): readonly string[] =>
  wantedHash(args) !== undefined && wantedHash(args) === hashIn(state) ? bodyArgumentsIn(args) : [];

/** What a state knows of a body that is written now. */
export const bodyAsWritten = (args: Values): Values => ({
  ...pick(args, ["file"]),
  ...withHash(wantedHash(args)),
});

/** The digests of a text's parts. */
function bodyParts(isJson: boolean, text: string | undefined): Values {
  if (text === undefined) return {};
  const leaves = isJson ? jsonValues(text) : undefined;
  if (isJson) return leaves === undefined ? {} : { __leaves: printValueHashes(leaves) };
  const lines = printLineHashes(text);
  return lines === undefined ? {} : { __lines: lines };
}

const pick = (values: Values, keys: readonly string[]): Values =>
  Object.fromEntries(keys.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));

/**
 * What the state keeps.
 * @param args what is asked, or the state before where nothing is asked
 */
export function bodyState(definition: Definition, args: Values, seen: Values, before: Values): Values {
  if (definition.body === undefined) return {};
  const shown = shownText(seen);
  const hash =
    shown !== undefined && definition.body.text !== undefined
      ? sha256(shown)
      : (hashIn(seen) ?? hashIn(args) ?? wantedHash(args) ?? hashIn(before));
  const isStated = shown !== undefined || (args.content ?? args.file) !== undefined;
  const isText = isStated ? wantsText(args) || shown !== undefined : before.isText;
  return {
    ...withHash(hash),
    ...(definition.body.text !== undefined && { isText: isText === true }),
    ...partsKept(definition, args, seen, hash === hashIn(before) ? before : pick(before, ["__leaves"])),
  };
}

// Texts are edited in the back office too: their parts are kept as hashes, so that both edits can be told apart.
function partsKept(definition: Definition, args: Values, seen: Values, before: Values): Values {
  const isJson = (definition.names ?? []).some((name) =>
    /\.json$/i.test(String(seen[name] ?? args[name] ?? "")),
  );
  if (definition.body?.text === undefined) return {};
  const parts = bodyParts(isJson, shownText(seen) ?? textOf(args, programFolder()));
  return Object.keys(parts).length === 0 ? pick(before, ["__leaves", "__lines"]) : parts;
}

/** The arguments of a body that a program stated, as they would have made this state. */
export function bodyInputs(
  definition: Definition,
  state: Values,
  seen: Values,
  stated: readonly string[],
): Values {
  const inputs: Record<string, unknown> = {};
  for (const name of ["src", "filename"]) if (stated.includes(name)) inputs[name] = state[name];
  const shown = shownText(seen);
  if (stated.includes("content") && shown !== undefined && definition.body !== undefined)
    inputs.content = shown;
  const file = fileIn(state);
  if (file !== undefined) inputs.file = fileInput(file, state, shown);
  return inputs;
}

function fileInput(file: FileFact, state: Values, shown: string | undefined): FileFact {
  if (hashIn(state) === file.sha256) return file;
  const read = { path: file.path, sha256: String(hashIn(state)) };
  if (shown !== undefined) return { ...read, size: Buffer.byteLength(shown) };
  // Bytes, which a refresh has downloaded.
  return state.isText === false ? { ...file, ...read, size: Number(state.fileSize ?? file.size) } : file;
}
