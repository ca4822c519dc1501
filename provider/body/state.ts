/** The body in the state (its hashes, never the body itself), and the arguments that would produce that state. */

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
import { isSameValues, jsonValues, leafDistance, printValueHashes } from "./json.ts";
import { lineDistance, printLineHashes } from "./lines.ts";

/** Arguments that no response contains. */
export const keptArguments = ["src", "file", "filename"] as const;

export const keptOf = (values: Values): Values => pick(values, keptArguments);

/** The hashes of a body: of the whole, of its JSON values, of its lines. */
const digests = ["sha256", "__leaves", "__lines"];

/** The state's knowledge of the body that the program wrote. */
export const bodyInState = (state: Values): Values => pick(state, [...digests, "file", "src"]);

const bodyDigests = (values: Values): Values => pick(values, digests);
export const isBodyDigest = (name: string): boolean => digests.includes(name);

/**
 * The state with the hashes of the body that the program last set. All hashes are of that text: the lines that a refresh read
 * are no base for the program's.
 */
export function withBodyBase(state: Values, asked: Values): Values {
  const own = bodyDigests(asked);
  if (Object.keys(own).length === 0) return state;
  const others = Object.entries(state).filter(([name]) => !isBodyDigest(name));
  return { ...Object.fromEntries(others), ...own };
}

/** Of several versions of a body, the first of those that differ from a text in the fewest lines or values. */
export function nearestBody(text: string, versions: readonly Values[]): Values | undefined {
  const distance = ({ __leaves: leaves, __lines: lines }: Values) =>
    typeof leaves === "string"
      ? leafDistance(text, leaves)
      : typeof lines === "string"
        ? lineDistance(text, lines)
        : undefined;
  return versions
    .flatMap((version) => {
      const far = distance(version);
      return far === undefined ? [] : [[version, far] as const];
    })
    .toSorted(([, one], [, other]) => one - other)[0]?.[0];
}

/** The hashes of the program's body, if the state's body differs. */
export function bodyBase(definition: Definition, args: Values, state: Values, folder: string): Values {
  const hash = wantedHash(args);
  if (definition.body?.text === undefined || hash === undefined || hash === hashIn(state)) return {};
  const isKept = state.__leaves !== undefined || state.__lines !== undefined;
  return { ...withHash(hash), ...(isKept && bodyParts(state.__leaves !== undefined, textOf(args, folder))) };
}

/** The hashes of the program's JSON, if the state has the same values in another layout; empty for any other body. */
export function layoutBase(definition: Definition, args: Values, state: Values, folder: string): Values {
  const asked = bodyBase(definition, args, state, folder);
  return isSameValues(asked.__leaves, state.__leaves) ? asked : {};
}

/** The hashes of the body that the program last set, if a refresh has read another. @param asked the base in the old state */
export function keepBodyBase(definition: Definition, olds: Values, state: Values, asked: Values): Values {
  if (definition.body?.text === undefined || ![...setPathsIn(olds)].some(isBodyName)) return {};
  const before = bodyDigests(withBodyBase(olds, asked));
  return hashIn(before) === undefined || hashIn(before) === hashIn(state) ? {} : before;
}

/** The output with the base (values/base.ts): values by field, list items by id, a body by its hashes. */
export const baseKey = "__asked";
export const baseIn = (state: Values): Values => valuesOf(state[baseKey]);

/** The output with the bases of edits that `accept` wrote into a program, the oldest first. Each has the form of `__asked`. */
export const acceptedKey = "__accepted";
/** The outputs that have the values from before edits of staff. */
export const baseKeys: readonly string[] = [baseKey, acceptedKey];
export const basesOf = (output: unknown): readonly Values[] =>
  output === undefined ? [] : [output].flat().map(valuesOf);
export const withEachBase = (state: Values, changed: (base: Values) => Values): Values => ({
  ...state,
  ...Object.fromEntries(
    baseKeys.flatMap((key) => {
      const all = basesOf(state[key]).map(changed);
      return all.length === 0 ? [] : [[key, Array.isArray(state[key]) ? all : all[0]]];
    }),
  ),
});
export const acceptedIn = (state: Values): readonly Values[] => basesOf(state[acceptedKey]);

export const setPathsIn = ({ __stated }: Values): ReadonlySet<string> => new Set(namesIn(__stated));

/** The body's arguments if the shop has that body. */
export const acceptedBody = (state: Values, args: Values): readonly string[] =>
  wantedHash(args) !== undefined && wantedHash(args) === hashIn(state) ? bodyArgumentsIn(args) : [];

export const bodyAsWritten = (args: Values): Values => ({
  ...pick(args, ["file"]),
  ...withHash(wantedHash(args)),
});

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
 * The body in the state.
 * @param args the arguments, or the previous state when there are none
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
  const { address } = definition.body;
  // A shop may show the address in the answer to the upload only (interface.md, Asset).
  const isSame = (definition.names ?? []).every((name) => seen[name] === before[name]);
  return {
    ...withHash(hash),
    ...(seen[address] === undefined && isSame && pick(before, [address])),
    ...(definition.body.text !== undefined && { isText: isText === true }),
    ...partsKept(definition, args, seen, hash === hashIn(before) ? before : pick(before, ["__leaves"])),
  };
}

// Staff edit texts in the back office: hashes of the parts make both edits visible.
function partsKept(definition: Definition, args: Values, seen: Values, before: Values): Values {
  const isJson = (definition.names ?? []).some((name) =>
    /\.json$/i.test(String(seen[name] ?? args[name] ?? "")),
  );
  if (definition.body?.text === undefined) return {};
  const parts = bodyParts(isJson, shownText(seen) ?? textOf(args, programFolder()));
  return Object.keys(parts).length === 0 ? pick(before, ["__leaves", "__lines"]) : parts;
}

/** The body's arguments that would produce this state. */
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
  // Bytes that a refresh has downloaded.
  return state.isText === false ? { ...file, ...read, size: Number(state.fileSize ?? file.size) } : file;
}
