/**
 * The three sides of a body. A text is compared by its hash; the settings of a theme, which are JSON, key by key, so
 * that the back office and the program may each change theirs. Of what the shop shows no text, its address tells.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sha256 } from "../body/body.ts";
import { type Leaves, leafHashes, leavesOf, mergedText, printLeaves } from "../body/json-leaves.ts";
import type { Definition, FileFact } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { askedHash, bodyDiffers, lineFeeds, unknownValue } from "./diff.ts";
import type { Sides, Touched } from "./sides.ts";

export interface BodyMerge {
  readonly kept: readonly Sides[];
  readonly conflicts: readonly Sides[];
  readonly touched: readonly Touched[];
  readonly wanted: (args: Record<string, unknown>) => Values;
  readonly known: (state: Values) => Values;
}

const names = ["content", "file", "src"] as const;
const nothing: BodyMerge = {
  kept: [],
  conflicts: [],
  touched: [],
  wanted: (args) => args,
  known: (state) => state,
};

/** @param asked arguments; without a body among them only what staff changed is told */
export function mergeBody(
  definition: Definition,
  base: Values,
  theirs: Values,
  asked: Values,
  folder: string,
): BodyMerge {
  if (definition.body === undefined) return nothing;
  const shown = typeof theirs.content === "string" ? lineFeeds(theirs.content) : undefined;
  const is = shown === undefined ? undefined : sha256(shown);
  const { address } = definition.body;
  // The shop gives a body that isn't text a new address with each edit (platform-facts.md, section 8: asset_url).
  const readdressed =
    shown === undefined &&
    typeof base[address] === "string" &&
    typeof theirs[address] === "string" &&
    base[address] !== theirs[address];
  const moved = (is !== undefined && base.sha256 !== undefined && is !== base.sha256) || readdressed;
  const states = names.some((name) => asked[name] !== undefined);
  const differs = states && bodyDiffers(definition, base, asked);
  const without = (args: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => !(names as readonly string[]).includes(name)));
  // The state goes on knowing what the program wrote: what staff wrote since is for a refresh to find.
  const asKnown = (state: Values): Values => ({
    ...state,
    ...pick(base, ["sha256", "__leaves", "file", "src"]),
  });
  const sides = (): Sides => ({
    path: "content",
    was: base.sha256,
    is: shown ?? theirs[address],
    asked: textOf(asked, folder),
  });
  if (!differs) {
    const kept = moved ? [sides()] : [];
    return {
      ...nothing,
      kept,
      wanted: moved ? without : (args) => args,
      known: moved ? asKnown : (state) => state,
    };
  }
  const leaves = sidesOfLeaves(base, shown, asked, folder);
  const touched = [touchedBody(base, is ?? theirs[address], asked), ...(leaves?.touched() ?? [])];
  if (is !== undefined && is === askedHash(asked)) return { ...nothing, touched, wanted: without };
  if (!moved) return { ...nothing, touched };
  const merged = leaves === undefined ? undefined : mergeLeaves(base, asked, leaves, without);
  return { ...(merged ?? { ...nothing, conflicts: [sides()] }), touched };
}

/** A body that the program changes, by its hash; one that the shop shows no text of by its address. */
function touchedBody(base: Values, is: unknown, asked: Values): Touched {
  const isUnknown = names.some((name) => asked[name] === unknownValue);
  const wanted = isUnknown ? unknownValue : (askedHash(asked) ?? asked.src);
  return { path: "content", was: base.sha256, is, asked: wanted, isDone: is !== undefined && is === wanted };
}

const pick = (values: Values, keys: readonly string[]) =>
  Object.fromEntries(keys.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));

/** JSON on all three sides: undefined where it isn't. */
function sidesOfLeaves(base: Values, shown: string | undefined, asked: Values, folder: string) {
  const text = textOf(asked, folder);
  const [mine, theirs] = [leavesOf(text), leavesOf(shown)];
  const was = base.__leaves === undefined ? undefined : leafHashes(String(base.__leaves));
  if (text === undefined || mine === undefined || theirs === undefined || was === undefined) return undefined;
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])];
  const isChanged = (side: Leaves, path: string) => !was.has(path, side.get(path));
  const sides = (path: string): Sides => ({
    path: `content: ${path}`,
    was: undefined,
    is: parsedOr(theirs.get(path)),
    asked: parsedOr(mine.get(path)),
  });
  return {
    text,
    mine,
    theirs,
    paths,
    isChanged,
    sides,
    touched: (): readonly Touched[] =>
      paths
        .filter((path) => isChanged(mine, path))
        .map((path) => ({ ...sides(path), isDone: mine.get(path) === theirs.get(path) })),
  };
}

function mergeLeaves(
  base: Values,
  asked: Values,
  { text, mine, theirs, paths, isChanged, sides }: NonNullable<ReturnType<typeof sidesOfLeaves>>,
  without: (args: Record<string, unknown>) => Values,
): BodyMerge {
  const both = paths.filter(
    (path) => isChanged(mine, path) && isChanged(theirs, path) && mine.get(path) !== theirs.get(path),
  );
  const onlyTheirs = paths.filter((path) => isChanged(theirs, path) && !isChanged(mine, path));
  const merged = mergedText(text, theirs, onlyTheirs);
  // Of what staff changed the state goes on knowing the old value: here that it is not the one the program has.
  const known = printLeaves(new Map([...mine].filter(([path]) => !onlyTheirs.includes(path))));
  const olds = String(base.__leaves);
  return {
    kept: onlyTheirs.map(sides),
    conflicts: both.map(sides),
    touched: [],
    wanted: (args) => ({ ...without(args), content: merged }),
    known: (state) => ({
      ...state,
      ...pick(asked, ["file"]),
      sha256: askedHash(asked),
      __leaves: olds + known,
    }),
  };
}

const parsedOr = (text: string | undefined) =>
  text === undefined ? undefined : (JSON.parse(text) as unknown);

/** The text that the arguments ask for; undefined where it is none, or the file is no longer what check saw. */
export function textOf({ content, file }: Values, folder: string): string | undefined {
  if (typeof content === "string") return content;
  const fact = file as FileFact | undefined;
  if (fact?.path === undefined || fact.binary) return undefined;
  const path = resolve(folder, fact.path);
  if (!existsSync(path)) return undefined;
  const text = lineFeeds(readFileSync(path, "utf8"));
  return sha256(text) === fact.sha256 ? text : undefined;
}
