/** The arguments of a sheet: what is wrong with them, with its rows, and with what they mean in the shop. */

import { isRecord } from "../../engine/pulumi/record.ts";
import { readProjectFile } from "../body/project-file.ts";
import { ownerIn, resourceOf } from "../names/owner.ts";
import { emptySheetState, textOfRows } from "../names/rows.ts";
import type { Shop } from "../run/context.ts";
import { timeWindow } from "../run/time-window.ts";
import { keyedPlace, type Span, setterText, type ValueOwner } from "../run/value-owners.ts";
import { concatenatedOutputs, failureOf, unknownArgument } from "../values/check.ts";
import type { Failure } from "../values/check-lists.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf, unknownValue } from "../wire/text.ts";
import { timestampForm } from "../wire/timestamps.ts";
import { listOf } from "../wire/values.ts";
import { prices } from "./definition.ts";
import { findVariants } from "./find.ts";
import { newId, planned, sendsOf, statingOf, tell, unfoundAdvice } from "./plan.ts";
import { keys, type Mistake, type Sheet, sheetArgs, sheetIn, sheetOf, textOf } from "./rows.ts";
import { guessText, isWorkbook, readSheet, readText, sheetNames } from "./sheet.ts";

const { kind } = prices;

export const beside = ["__of", "__secret"] as const;

const wanted: Readonly<
  Record<string, { readonly isIt: (value: unknown) => boolean; readonly reason: string }>
> = {
  file: { isIt: (value) => typeof value === "string", reason: "must be the path of a file in the project" },
  rows: {
    isIt: (value) => typeof value === "string" || Array.isArray(value),
    reason: "must be a list of rows",
  },
  key: {
    isIt: (value) => keys.some((key) => key === value),
    reason: `must be ${keys.join(" or ")}`,
  },
  columns: {
    isIt: isRecord,
    reason: "must be an object: headings by what they are of",
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
      failures.push(failureOf(news, { property: name, reason: shape.reason, given: value }));
    else inputs[name] = value;
  }
  for (const name of beside) if (news[name] !== undefined) inputs[name] = news[name];
  const joined = concatenatedOutputs(
    Object.fromEntries(Object.entries(news).filter(([name]) => name === "__of" || !name.startsWith("__"))),
  );
  if (joined.length > 0) return { inputs, failures: joined };
  const source = inputs.file ?? inputs.rows;
  if (source === undefined) failures.push({ property: "file", reason: "is required, or rows" });
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
  const property = inputs.file === undefined ? "rows" : "file";
  const sheet = await sheetFrom(shop, inputs).catch((error: Error) => error);
  if (sheet instanceof Error) return { inputs, failures: [{ property, reason: sheet.message }] };
  const fail = (reason: string) => ({
    property,
    reason: inputs.file === undefined ? reason : `${inputs.file}: ${reason}`,
  });
  // Before the shop is asked: what another sheet leaves to this one is not put back meanwhile.
  const others = claim(shop, inputs, sheet, time.span);
  const id = newId(shop, inputs);
  const isMoved = Object.keys(olds).length === 0 && shop.plan.isEmbedded && isHeld(shop, id, inputs);
  // What is over asks nothing of the shop any more.
  const isOver = !time.isNow && time.span?.isLater !== true;
  const unfound = isMoved || isOver ? [] : await unfoundIn(shop, olds, inputs, sheet);
  const wrong = withGuess([...sheet.mistakes, ...unfound], sheet.guess);
  if (wrong.length > 0)
    return { inputs, failures: wrong.map(({ row, text }) => fail(row === 0 ? text : `row ${row}, ${text}`)) };
  const asked = time.isNow ? sheet : { ...sheet, rows: new Map<string, never>() };
  inputs.rows = textOf(asked, sheetArgs(inputs));
  // Its amounts are written in one way now.
  if (property === "rows") inputs.decimal = ".";
  const resource = resourceOf(kind, inputs);
  const isKnown = Object.keys(olds).length > 0 || shop.memory.inState.has(resource);
  if (isKnown || isMoved) shop.memory.inState.add(resource);
  if (others.length > 0) return { inputs, failures: others.map(fail) };
  if (isKnown || shop.plan.onlyArguments) return { inputs, failures };
  const taken = { id, changes: [], olds: {}, asked: inputs };
  if (isMoved || shop.plan.isPreview === false) return { inputs, failures, taken };
  const plan = await planned(shop, id, inputs, emptySheetState);
  shop.notice({
    type: "adopts",
    kind,
    id,
    of: ownerIn(inputs),
    sends: sendsOf(plan),
  });
  tell(shop, { id, args: inputs, adopts: true }, plan);
  return { inputs, failures, taken };
}

/** Mistakes in the order of their rows; where one quotes letters that may have been read wrong, that is said first. */
const withGuess = (mistakes: readonly Mistake[], guess: string | undefined): readonly Mistake[] => {
  const isOdd = mistakes.some(({ text }) => /[^\p{ASCII}]/u.test(text));
  const first = guess !== undefined && isOdd ? [{ row: 0, text: guess }] : [];
  return [...first, ...mistakes].toSorted((one, other) => one.row - other.row);
};

/** Whether the state has the sheet already, in the other form: it is compared with what the state knows of it. */
const isHeld = ({ notes }: Shop, id: string, { __of }: Values) =>
  notes.inState(kind, id, String(__of ?? "")) !== undefined;

/** Rows that are new and mean no variant, or several, as far as a preview looks. */
async function unfoundIn(
  shop: Shop,
  olds: Values,
  inputs: Values,
  sheet: Sheet,
): Promise<readonly Mistake[]> {
  const { plan } = shop;
  if (inputs.unknown === "report" || plan.isPreview === false || plan.onlyArguments) return [];
  const before = typeof olds.rows === "string" ? sheetIn(olds.rows).rows : new Map();
  const fresh = [...sheet.rows.keys()].filter((own) => !before.has(own));
  const { key } = sheetArgs(inputs);
  const { unfound } = await findVariants(shop, key, fresh);
  return unfound.flatMap(({ key: own, why, maker }) =>
    maker === undefined
      ? [
          {
            row: sheet.places.get(own) ?? 0,
            text: `column ${key}: ${JSON.stringify(own)}: ${why}; ${unfoundAdvice(inputs)}`,
          },
        ]
      : [],
  );
}

async function sheetFrom(shop: Shop, inputs: Values): Promise<Sheet> {
  const args = sheetArgs(inputs);
  const { file, rows, sheet, encoding } = inputs;
  if (file === undefined) {
    const text = Array.isArray(rows) ? textOfRows(listOf(rows), args.none) : String(rows);
    // A list without a row has no columns either.
    if (text.trim() === "") return { columns: [], rows: new Map(), places: new Map(), mistakes: [] };
    return sheetOf(await readText(text), args);
  }
  const bytes = await readProjectFile(String(file), shop.folder, shop.allowOutside === true);
  const textIn = (value: unknown) => (value === undefined ? undefined : String(value));
  const options = { sheet: textIn(sheet), encoding: textIn(encoding) };
  try {
    const read = {
      ...sheetOf(await readSheet(bytes, options), args),
      guess: guessText(bytes, options.encoding),
    };
    const isOther = read.mistakes.some(({ row }) => row === 0) && sheet === undefined && isWorkbook(bytes);
    const [first, ...others] = isOther ? await sheetNames(bytes) : [];
    if (others.length === 0) return read;
    const text = `the first sheet was read, ${first}; the argument sheet names another: ${others.join(", ")}`;
    return { ...read, mistakes: [...read.mistakes, { row: 0, text }] };
  } catch (cause) {
    throw new Error(`can't read ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** When two that state one value come to it, where that is not now. */
const timesText = (span: Span | undefined, other: ValueOwner) =>
  span?.isLater || other.span?.isLater
    ? ` from ${new Date(Math.max(span?.from ?? 0, other.span?.from ?? 0)).toISOString()} on`
    : "";

/** Values of variants that another resource of the program states too. */
function claim(shop: Shop, inputs: Values, sheet: Sheet, span: Span | undefined): readonly string[] {
  if (span !== undefined && span.until <= span.from) return [];
  const { key } = sheetArgs(inputs);
  const by = { ...statingOf(inputs), ...(span !== undefined && { span }) };
  return [...sheet.rows].flatMap(([own, values]) => {
    const row = `row ${sheet.places.get(own)}`;
    const at = inputs.file === undefined ? row : `${row} of ${inputs.file}`;
    return [...values.keys()].flatMap((column) => {
      const other = shop.memory.valueOwners.claim(keyedPlace(key, own, column), { ...by, at });
      return other === undefined
        ? []
        : [
            `${row}: ${column} of ${own} is set by ${setterText(other)} too${timesText(span, other)}; one of the two can have it`,
          ];
    });
  });
}
