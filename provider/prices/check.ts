/** The arguments of a sheet: what is wrong with them, with its rows, and with what they mean in the shop. */

import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { isRecord } from "../../engine/common/record.ts";
import { topOf } from "../../engine/pulumi/path.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { readProjectFile } from "../body/body.ts";
import { concatenatedOutputs, failureOf, unknownArgument } from "../change/check.ts";
import type { Failure } from "../change/check-lists.ts";
import { ignoredIn } from "../change/keyed-lists.ts";
import { isSecretPath } from "../change/secrets.ts";
import { ownerHere, type Shop } from "../context/context.ts";
import { type TimeWindow, timeNames, timeWindow } from "../context/time-window.ts";
import { keyedPlace, type Span, setterText, type ValueOwner } from "../context/value-owners.ts";
import { ownerIn, resourceOf } from "../names/owner.ts";
import { areRows, emptySheetState, textOfRows } from "../names/rows.ts";
import { pluginType } from "../names/types.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf, unknownValue } from "../wire/text.ts";
import { inOffsetOf, timestampForm } from "../wire/timestamps.ts";
import { listOf } from "../wire/values.ts";
import { prices } from "./definition.ts";
import { findVariants } from "./find.ts";
import { tellReplacement } from "./known.ts";
import { newId, planned, sendsOf, tell, unfoundAdvice } from "./plan.ts";
import { type Key, keys, type Mistake, type Sheet, sheetArgs, sheetIn, sheetOf, textOf } from "./rows.ts";
import { guessText, isWorkbook, readSheet, readText, sheetNames } from "./sheet.ts";
import { statingOf } from "./tasks.ts";

const { kind } = prices;

export const beside = ["__of", "__secret"] as const;

/** How the sheet is read: what a change of it means is in the rows. */
export const reading = ["columns", "decimal", "sheet", "encoding"] as const;

const wanted: Readonly<
  Record<string, { readonly isIt: (value: unknown) => boolean; readonly reason: string }>
> = {
  file: { isIt: (value) => typeof value === "string", reason: "must be the path of a file in the project" },
  rows: {
    isIt: (value) => typeof value === "string" || areRows(value),
    reason: "must be a list of rows, each an object such as { sku, price }",
  },
  key: {
    isIt: (value) => keys.some((key) => key === value),
    reason: `must be ${keys.join(" or ")}`,
  },
  columns: {
    isIt: (value) => isRecord(value) && (value.prices === undefined || isRecord(value.prices)),
    reason: "must be an object: headings by what they are of, in prices by the titles of price kinds",
  },
  sheet: { isIt: (value) => typeof value === "string", reason: "must be the name of a sheet" },
  encoding: { isIt: (value) => typeof value === "string", reason: "must be the name of an encoding" },
  decimal: { isIt: (value) => value === "." || value === ",", reason: 'must be "." or ","' },
  none: { isIt: (value) => typeof value === "string" && value !== "", reason: "must be a word" },
  unknown: { isIt: (value) => value === "error" || value === "report", reason: "must be error or report" },
  from: { isIt: (value) => typeof value === "string", reason: `must be ${timestampForm}` },
  until: { isIt: (value) => typeof value === "string", reason: `must be ${timestampForm}` },
  onRemove: { isIt: (value) => value === "keep" || value === "restore", reason: "must be keep or restore" },
};

export async function check(shop: Shop, olds: Values, news: Values) {
  const failures: Failure[] = [];
  const inputs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(news)) {
    if (name.startsWith("__") || value === undefined || value === null) continue;
    const shape = wanted[name];
    if (shape === undefined)
      failures.push({ property: name, reason: unknownArgument({}, name, Object.keys(wanted), kind) });
    else if (value !== unknownValue && !shape.isIt(value))
      failures.push(failureOf(news, { property: name, reason: shape.reason, value }));
    else inputs[name] = value;
  }
  for (const name of beside) if (news[name] !== undefined) inputs[name] = news[name];
  const joined = concatenatedOutputs(
    Object.fromEntries(Object.entries(news).filter(([name]) => name === "__of" || !name.startsWith("__"))),
  );
  if (joined.length > 0) return { inputs, failures: joined };
  const isGiven = ["file", "rows"].some((name) => news[name] !== undefined && news[name] !== null);
  if (!isGiven) failures.push({ property: "file", reason: "is required, or rows" });
  const ignored = ignoredIn(news).filter((path) => isIgnoredRow(path, inputs));
  if (ignored.length > 0)
    failures.push({
      property: "rows",
      reason: `can't be in ignoreChanges (${ignored.join(", ")}): leave the row out of the sheet, or a cell empty, and the shop keeps its value`,
    });
  else if (inputs.file !== undefined && inputs.rows !== undefined)
    failures.push({ property: "rows", reason: "goes without file: set one of the two" });
  if (failures.length > 0 || Object.values(inputs).includes(unknownValue)) return { inputs, failures };
  const time = await timeWindow(shop, inputs);
  if (time.failures.length > 0) return { inputs, failures: time.failures };
  Object.assign(inputs, time.inputs);
  if (inputs.until !== undefined && inputs.onRemove === "keep")
    return {
      inputs,
      failures: [
        { property: "onRemove", reason: "must be restore with until, which puts back what was there before" },
      ],
    };
  if (inputs.until !== undefined) inputs.onRemove = "restore";
  const isMoved = Object.keys(olds).length === 0 && shop.plan.isEmbedded && isInOtherForm(shop, news);
  return checkRows(shop, olds, inputs, { ...time, isMoved });
}

/** Whether a path in `ignoreChanges` means rows of a file, or a part of the rows, which are one text to an engine. */
const isIgnoredRow = (path: string, { file }: Values): boolean =>
  topOf(path) === "rows" && (path !== "rows" || file !== undefined);

/** Checks the rows, and claims and looks up what they set. @param inputs the arguments, which get the rows as text */
async function checkRows(
  shop: Shop,
  olds: Values,
  inputs: Record<string, unknown>,
  { isMoved, ...time }: TimeWindow & { readonly isMoved: boolean },
) {
  const property = inputs.file === undefined ? "rows" : "file";
  const content = await contentOf(shop, inputs).catch((error: Error) => error);
  if (content instanceof Error) return { inputs, failures: [{ property, reason: content.message }] };
  const isTimed = timeNames.some((name) => inputs[name] !== undefined);
  // A hash of a few secret prices can be guessed.
  const source = isSecretPath(inputs, "rows") ? undefined : sourceHash(content, inputs);
  const isAsBefore = source !== undefined && olds[sourceKey] === source;
  // The last run has parsed the same bytes in the same way. The rows that a time asks for are others at another time.
  const parsed = isAsBefore && !isTimed ? olds.rows : undefined;
  const sheet =
    parsed === undefined ? await sheetFrom(content, inputs).catch((error: Error) => error) : undefined;
  if (sheet instanceof Error) return { inputs, failures: [{ property, reason: sheet.message }] };
  const fail = (reason: string) => ({
    property,
    reason: inputs.file === undefined ? reason : `${inputs.file}: ${reason}`,
  });
  // Before the shop is asked: what another sheet leaves to this one is not put back meanwhile.
  const readRows = () => sheet ?? sheetIn(String(parsed), sheetArgs(inputs).none);
  const claimed = { readRows, span: time.span };
  const others = claim(shop, inputs, claimed);
  const id = newId(shop, inputs);
  // What is over asks nothing of the shop any more; for what is to come the last run has looked.
  const isOver = !time.isNow && time.span?.isLater !== true;
  const isSought = sheet !== undefined && !isMoved && !isOver && (time.isNow || !isAsBefore);
  const unfound = isSought ? await unfoundIn(shop, olds, inputs, { ...sheet, isLater: !time.isNow }) : [];
  const wrong = withGuess([...(sheet?.mistakes ?? []), ...unfound], sheet?.guess);
  if (wrong.length > 0)
    return { inputs, failures: wrong.map(({ row, text }) => fail(row === 0 ? text : `row ${row}, ${text}`)) };
  others.push(...(await claimByOtherKey(shop, inputs, { ...claimed, isSought })));
  const asked = time.isNow || sheet === undefined ? sheet : { ...sheet, rows: new Map<string, never>() };
  inputs.rows = asked === undefined ? parsed : textOf(asked, sheetArgs(inputs));
  if (source !== undefined) inputs[sourceKey] = source;
  // Its amounts are written in one way now.
  if (property === "rows") inputs.decimal = ".";
  const resource = resourceOf(kind, inputs);
  const isInState = Object.keys(olds).length > 0;
  const isReplacement = !isInState && shop.memory.inState.has(resource);
  const isKnown = isInState || isReplacement;
  if (isKnown || isMoved) shop.memory.inState.add(resource);
  if (others.length > 0) return { inputs, failures: others.map(fail) };
  if (isReplacement && !shop.plan.isEmbedded && shop.plan.isPreview !== false)
    await tellReplacement(shop, inputs);
  if (isKnown || shop.plan.onlyArguments) return { inputs, failures: [] };
  const taken = { id, inputs, olds: {}, asked: inputs };
  if (isMoved || shop.plan.isPreview === false) return { inputs, failures: [], taken };
  const plan = await planned(shop, id, inputs, emptySheetState);
  shop.notice({
    type: "adopts",
    kind,
    id,
    of: ownerIn(inputs),
    sends: sendsOf(plan),
  });
  tell(shop, { id, args: inputs, adopts: true }, plan);
  return { inputs, failures: [], taken };
}

/** Mistakes in the order of their rows; where one quotes letters that may have been read wrong, that is said first. */
const withGuess = (mistakes: readonly Mistake[], guess: string | undefined): readonly Mistake[] => {
  const isOdd = mistakes.some(({ text }) => /[^\p{ASCII}]/u.test(text));
  const first = guess !== undefined && isOdd ? [{ row: 0, text: guess }] : [];
  return [...first, ...mistakes].toSorted((one, other) => one.row - other.row);
};

/**
 * Whether the state has the sheet in the other form: then it is compared with what the state knows of it. A sheet of the same
 * form that the state on disk still has was deleted by a run that was interrupted.
 */
function isInOtherForm(shop: Shop, news: Values): boolean {
  const urn = shop.notes.inState(kind, newId(shop, news), ownerHere(shop, news));
  // Dynamic resources name their provider in the arguments, those of the plugin don't.
  return urn !== undefined && (typeOf(urn) === pluginType(kind)) === (news.__provider !== undefined);
}

/** Rows that are new and mean no variant, or several. A run looks for those itself that it sets. */
async function unfoundIn(
  shop: Shop,
  olds: Values,
  inputs: Values,
  sheet: Sheet & { readonly isLater: boolean },
): Promise<readonly Mistake[]> {
  const { plan } = shop;
  const isOfRun = plan.isPreview === false && !sheet.isLater;
  if (inputs.unknown === "report" || isOfRun || plan.onlyArguments) return [];
  const before = typeof olds.rows === "string" ? sheetIn(olds.rows).rows : new Map();
  const fresh = [...sheet.rows.keys()].filter((own) => !before.has(own));
  const { key } = sheetArgs(inputs);
  const { unfound } = await findVariants(shop, key, fresh);
  return unfound.flatMap(({ key: own, why, maker }) =>
    maker === undefined
      ? [
          {
            row: sheet.places.get(own) ?? 0,
            text: `column ${sheet.keyHeading}: ${JSON.stringify(own)}: ${why}; ${unfoundAdvice(inputs)}`,
          },
        ]
      : [],
  );
}

/** The file's bytes, or the program's rows as text. */
async function contentOf(shop: Shop, inputs: Values): Promise<Buffer | string> {
  const { file, rows } = inputs;
  if (file !== undefined) return readProjectFile(String(file), shop.folder, shop.allowOutside === true);
  return Array.isArray(rows) ? textOfRows(listOf(rows), sheetArgs(inputs).none) : String(rows);
}

/** Among the arguments in a state: the hash of all that their rows were parsed from. */
const sourceKey = "__source";

/** A hash of a sheet's content, of the arguments that tell how to read it and when, and of the version that reads it. */
function sourceHash(content: Buffer | string, inputs: Values): string {
  const { version } = createRequire(import.meta.url)("pulumi-shop/package.json") as {
    readonly version: string;
  };
  const read = ["key", "none", ...reading, ...timeNames].map((name) => inputs[name]);
  return createHash("sha256")
    .update(`${version} ${JSON.stringify(read)}\n`)
    .update(content)
    .digest("hex");
}

async function sheetFrom(content: Buffer | string, inputs: Values): Promise<Sheet> {
  const args = sheetArgs(inputs);
  if (typeof content === "string") {
    // A list without a row has no columns either.
    if (content.trim() === "")
      return { columns: [], keyHeading: args.key, rows: new Map(), places: new Map(), mistakes: [] };
    // The program's list has no row of headings.
    const rows = readText(content).map(({ number, cells }) => ({ number: number - 1, cells }));
    return sheetOf(rows, args);
  }
  const { file, sheet, encoding } = inputs;
  const textIn = (value: unknown) => (value === undefined ? undefined : String(value));
  const options = { sheet: textIn(sheet), encoding: textIn(encoding) };
  try {
    const read = {
      ...sheetOf(await readSheet(content, options), args),
      guess: guessText(content, options.encoding),
    };
    const isOther = read.mistakes.some(({ row }) => row === 0) && sheet === undefined && isWorkbook(content);
    const [first, ...others] = isOther ? await sheetNames(content) : [];
    if (others.length === 0) return read;
    const text = `the first sheet was read, ${first}; the argument sheet names another: ${others.join(", ")}`;
    return { ...read, mistakes: [...read.mistakes, { row: 0, text }] };
  } catch (cause) {
    throw new Error(`can't read ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** When two that state one value come to it, where that is not now. */
const timesText = (span: Span | undefined, other: ValueOwner) => {
  const [first, second = first] = [span, other.span].filter((one) => one !== undefined);
  if (first === undefined || second === undefined || !(first.isLater || second.isLater)) return "";
  return ` from ${inOffsetOf(first.stated, Math.max(first.from, second.from))} on`;
};

interface Claimed {
  readonly readRows: () => Pick<Sheet, "rows"> & Partial<Pick<Sheet, "places">>;
  readonly span: Span | undefined;
  /** A key of the rows' variants, with its value for a row; the sheet's own if left out. */
  readonly by?: { readonly key: Key; readonly nameOf: (own: string) => unknown };
}

/**
 * Claims the values of the rows by the other key of their variants too, if this sheet or another one that finds its rows by that
 * key is to come. Of two that apply now, the variants are compared.
 * @param isSought whether this check looks for the variants anyway: then a product that sets one of the values is found, too
 * @returns as `claim`
 */
async function claimByOtherKey(
  shop: Shop,
  inputs: Values,
  { isSought, ...claimed }: Claimed & { readonly isSought: boolean },
): Promise<readonly string[]> {
  const { key } = sheetArgs(inputs);
  const { sheetKeys } = shop.memory;
  const isLater = claimed.span?.isLater === true;
  sheetKeys.set(key, isLater || sheetKeys.get(key) === true);
  const others = keys.filter(
    (one) => one !== key && (isLater ? isSought || sheetKeys.has(one) : sheetKeys.get(one)),
  );
  if (others.length === 0 || shop.plan.onlyArguments) return [];
  const { found } = await findVariants(shop, key, [...claimed.readRows().rows.keys()]);
  return others.flatMap((other) =>
    claim(shop, inputs, { ...claimed, by: { key: other, nameOf: (own) => found.get(own)?.seen[other] } }),
  );
}

/** Claims the values of the rows. @returns a sentence for each that another resource of the program sets too */
function claim(shop: Shop, inputs: Values, { readRows, span, by: named }: Claimed): string[] {
  if (span !== undefined && span.until <= span.from) return [];
  const { key } = sheetArgs(inputs);
  const { key: byKey, nameOf } = named ?? { key, nameOf: (own: string) => own };
  const claims = () => {
    const { rows, places } = readRows();
    return [...rows].flatMap(([own, values]) => {
      const row = places === undefined ? `${key} ${own}` : `row ${places.get(own)}`;
      const at = inputs.file === undefined ? row : `${row} of ${inputs.file}`;
      const name = nameOf(own);
      if (typeof name !== "string" || name === "") return [];
      return [...values.keys()].map((column) => ({
        place: keyedPlace(byKey, name, column),
        at,
        text: `${row}: ${column} of ${own}`,
      }));
    });
  };
  const by = { ...statingOf(inputs), ...(span !== undefined && { span }) };
  return shop.memory.valueOwners
    .claimAll(by, claims)
    .map(
      ({ text, other }) =>
        `${text} is set by ${setterText(other)} too${timesText(span, other)}; remove it from one of the two`,
    );
}
