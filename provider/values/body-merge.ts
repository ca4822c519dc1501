/**
 * The three sides of a body. A text is compared by its hash; the settings of a theme, which are JSON, key by key, so
 * that the back office and the program may each change theirs. Of what the shop shows no text, its address tells.
 */
import {
  askedHash,
  bodyDiffers,
  bodyPath,
  hashIn,
  isBodyUnknown,
  leafPath,
  shownText,
  sourceIn,
  statedBy,
  textOf,
  withoutBody,
  withText,
} from "../body/arguments.ts";
import { sha256 } from "../body/body.ts";
import { clashOf, type Leaves, leafHashes, leavesOf, mergedText, printLeaves } from "../body/json-leaves.ts";
import { bodyDigests, knownBody, writtenBody } from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { askedIn } from "./asked.ts";
import type { Merging, Sides, Touched } from "./sides.ts";

export interface BodyMerge {
  readonly kept: readonly Sides[];
  readonly putBack: readonly Sides[];
  readonly conflicts: readonly Sides[];
  readonly touched: readonly Touched[];
  readonly wanted: (args: Record<string, unknown>) => Values;
  readonly known: (state: Values) => Values;
}

const nothing: BodyMerge = {
  kept: [],
  putBack: [],
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
  { folder, keeps = false }: Merging,
): BodyMerge {
  if (definition.body === undefined) return nothing;
  const shown = shownText(theirs);
  const is = shown === undefined ? undefined : sha256(shown);
  const { address } = definition.body;
  // The shop gives a body that isn't text a new address with each edit (platform-facts.md, section 8: asset_url).
  const readdressed =
    shown === undefined &&
    typeof base[address] === "string" &&
    typeof theirs[address] === "string" &&
    base[address] !== theirs[address];
  const moved = (is !== undefined && hashIn(base) !== undefined && is !== hashIn(base)) || readdressed;
  const states = statedBy(asked).length > 0;
  const differs = states && bodyDiffers(definition, base, asked);
  // The state goes on knowing what the program wrote: what staff wrote since is for a refresh to find.
  const asKnown = (state: Values): Values => ({ ...state, ...knownBody(base) });
  // What a refresh read since the program last asked is no change of the program's.
  const before = { ...base, ...bodyDigests(askedIn(base)) };
  const isRead = hashIn(before) !== hashIn(base);
  const sides = (): Sides => ({
    path: bodyPath,
    was: hashIn(before),
    is: shown ?? theirs[address],
    asked: textOf(asked, folder),
  });
  if (!differs) {
    const kept = moved ? [sides()] : [];
    return {
      ...nothing,
      kept,
      wanted: moved ? withoutBody : (args) => args,
      known: moved ? asKnown : (state) => state,
    };
  }
  const leaves = sidesOfLeaves(before, shown, asked, folder);
  const touched = [touchedBody(base, is ?? theirs[address], asked), ...(leaves?.touched() ?? [])];
  if (is !== undefined && is === askedHash(asked)) return { ...nothing, touched, wanted: withoutBody };
  if (!moved && !isRead) return { ...nothing, touched };
  if (isRead && askedHash(asked) === hashIn(before)) {
    if (keeps || moved) return { ...nothing, kept: [sides()], wanted: withoutBody, known: asKnown };
    return { ...nothing, putBack: leaves?.byStaff.map(leaves.sides) ?? [sides()], touched };
  }
  const merged = leaves === undefined ? undefined : mergeLeaves(asked, leaves);
  if (isRead && merged !== undefined && !keeps && !moved)
    return { ...nothing, putBack: merged.kept, conflicts: merged.conflicts, touched };
  return { ...(merged ?? { ...nothing, conflicts: [sides()] }), touched };
}

/** A body that the program changes, by its hash; one that the shop shows no text of by its address. */
function touchedBody(base: Values, is: unknown, asked: Values): Touched {
  const wanted = isBodyUnknown(asked) ? unknownValue : (askedHash(asked) ?? sourceIn(asked));
  return { path: bodyPath, was: hashIn(base), is, asked: wanted, isDone: is !== undefined && is === wanted };
}

/** JSON on all three sides: undefined where it isn't. */
function sidesOfLeaves(base: Values, shown: string | undefined, asked: Values, folder: string) {
  const text = textOf(asked, folder);
  const [mine, theirs] = [leavesOf(text), leavesOf(shown)];
  const was = base.__leaves === undefined ? undefined : leafHashes(String(base.__leaves));
  if (text === undefined || mine === undefined || theirs === undefined || was === undefined) return undefined;
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])];
  const changedBy = (side: Leaves) => paths.filter((path) => !was.has(path, side.get(path)));
  const [byProgram, byStaff] = [changedBy(mine), changedBy(theirs)];
  const sides = (path: string): Sides => ({
    path: leafPath(path),
    was: undefined,
    is: parsedOr(theirs.get(path)),
    asked: parsedOr(mine.get(path)),
  });
  return {
    text,
    was,
    mine,
    theirs,
    byProgram,
    byStaff,
    sides,
    touched: (): readonly Touched[] =>
      byProgram.map((path) => ({ ...sides(path), isDone: mine.get(path) === theirs.get(path) })),
  };
}

function mergeLeaves(
  asked: Values,
  { text, was, mine, theirs, byProgram, byStaff, sides }: NonNullable<ReturnType<typeof sidesOfLeaves>>,
): BodyMerge {
  const isClash = clashOf(
    byProgram.filter((path) => mine.has(path)),
    byStaff.filter((path) => theirs.has(path)),
  );
  const ofProgram = new Set(byProgram);
  const isConflict = (path: string) => ofProgram.has(path) || isClash(path);
  const differing = byStaff.filter((path) => mine.get(path) !== theirs.get(path));
  const onlyTheirs = differing.filter((path) => !isConflict(path));
  const merged = mergedText(text, theirs, onlyTheirs);
  // Of what staff changed the state goes on knowing the old value: here that it is not the one the program has.
  const written = printLeaves(new Map([...mine].filter(([path]) => !onlyTheirs.includes(path))));
  return {
    kept: onlyTheirs.map(sides),
    putBack: [],
    conflicts: differing.filter(isConflict).map(sides),
    touched: [],
    wanted: (args) => withText(args, merged),
    known: (state) => ({
      ...state,
      ...writtenBody(asked),
      __leaves: was.only(onlyTheirs) + written,
    }),
  };
}

const parsedOr = (text: string | undefined) =>
  text === undefined ? undefined : (JSON.parse(text) as unknown);
