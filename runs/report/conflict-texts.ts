/** Conflicts in words: three values in a line, or the lines of a text, and the next steps. */
import type { Value } from "../../engine/index.ts";
import { adoptsInstead, changedSides, withUnit } from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { comparedWords } from "./argument-rows.ts";
import { anotherContent, isText, textHunks } from "./change-lines.ts";
import type { Conflict, ConflictField } from "./conflicts.ts";

export interface ShownField {
  readonly label: string;
  readonly was: string;
  readonly is: string;
  readonly asked: string;
  /** Changed lines: in the shop and in the program, or between the two if the old text isn't known. */
  readonly texts: readonly { readonly label: string; readonly hunks: readonly string[] }[];
}

/**
 * How to resolve these conflicts: a sentence with commands between backticks for each type of conflict, and whether the shop
 * keeps its values until then.
 */
export function nextSteps(conflicts: readonly Conflict[]) {
  const ways = Map.groupBy(conflicts, (conflict) => {
    if (!conflict.isGone && conflict.withheld === "delete") return deleteText;
    if (!conflict.isGone && conflict.isStaffs)
      return conflict.withheld === "update" ? staffsText : replacedText;
    if (!conflict.isGone) return changedText;
    return adoptsInstead(conflict) ? adoptText : goneText;
  });
  return [changedText, staffsText, replacedText, deleteText, goneText, adoptText].flatMap((way) => {
    const names = (ways.get(way) ?? []).map(({ name }) => name).join(",");
    return names === ""
      ? []
      : [{ text: way(names), keeps: way !== goneText && way !== adoptText && way !== deleteText }];
  });
}

/** For fields that staff and the program both changed. */
const changedText = (names: string): string => acceptText(`${names.replaceAll(",", " ")} --theirs`, names);

/** For fields that only staff changed, on a stack that stops at such edits. */
const staffsText = (names: string): string =>
  acceptText(names.replaceAll(",", " "), names, `\`--keep ${names}\` leaves them in the shop; `);

/** For fields that only staff changed, of an object that is replaced. */
const replacedText = (names: string): string => acceptText(names.replaceAll(",", " "), names);

const acceptText = (accepted: string, names: string, more = ""): string =>
  `\`accept ${accepted}\` writes the shop's values into the program; ${more}\`--overwrite ${names}\` writes the program's into the shop`;

/** For objects that staff changed and the program deletes. */
const deleteText = (names: string): string =>
  `\`--overwrite ${names}\` deletes it anyway. To keep it, put it back into the program, or stop managing it with \`state remove\``;

/** For objects that staff deleted. */
const goneText = (names: string): string =>
  `\`--overwrite ${names}\` creates it again, like refresh and then up. To leave it deleted, remove it from the program`;

const adoptText = (names: string): string =>
  `\`up --refresh\` adopts the object that adopt names now (${names})`;

const withheldWords = { update: "", replace: "replaced", delete: "deleted" } as const;

export const shownFields = ({ kind, withheld, isGone, fields }: Conflict): readonly ShownField[] =>
  fields.map(({ path, label, was, is, asked, units }) => {
    const texts = textsOf({ was, is, asked }, isGone);
    const words = comparedWords(definitionOf(kind), path, [was, is, asked]);
    const [old = "", now = "", wanted = ""] = [
      withUnit(was, words[0] ?? "", units?.was),
      withUnit(is, words[1] ?? "", units?.is),
      withUnit(asked, words[2] ?? "", units?.asked),
    ];
    // Binary content isn't shown.
    const another = anotherContent(texts.length > 0);
    const other = isGone ? "deleted" : is !== null && (texts.length > 0 || is === undefined) ? another : now;
    return {
      label,
      was: was === undefined ? "" : texts.length > 0 ? "a text" : old,
      is: other,
      asked:
        withheld === "update"
          ? texts.length > 0 || is === undefined
            ? another
            : wanted
          : withheldWords[withheld],
      texts,
    };
  });

const sideLabels = {
  staff: "changed in the shop",
  program: "changed in the program",
  both: "the shop (-) against the program (+)",
} as const;

function textsOf(sides: Pick<ConflictField, "was" | "is" | "asked">, isGone = false): ShownField["texts"] {
  if (![sides.was, sides.is, sides.asked].some((one) => isText(one as Value))) return [];
  return changedSides(sides).flatMap(({ by, old, next }) => {
    // An emptied text has no lines.
    const hunks = textHunks({ old: (old ?? "") as Value, new: (next ?? "") as Value });
    return hunks === undefined || (isGone && by !== "program") ? [] : [{ label: sideLabels[by], hunks }];
  });
}
