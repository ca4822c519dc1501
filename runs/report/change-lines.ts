/** Changes as lines: short values in one line, texts as hunks. */
import { type Change, unknownText, type Value } from "../../engine/index.ts";
import {
  excerptsOf,
  type FileFact,
  isFileFact,
  hunks as unifiedHunks,
  withUnit,
} from "../../provider/inventory/index.ts";
import { noUnits, type Units } from "./labels.ts";

export interface DiffLine {
  readonly sign: "+" | "-" | "~" | " ";
  readonly text: string;
}

const shortLength = 70;

export function valueText(value: Value | undefined, most = Number.POSITIVE_INFINITY): string {
  if (value === undefined) return "unset";
  if (value === unknownText) return "known after up";
  if (isFileFact(value)) return fileText(value);
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    inner === unknownText ? "known after up" : inner,
  );
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** @param whole whether to show long values in full and long texts as hunks */
export function changeLines(change: Change, whole: boolean, signs: Units = noUnits): readonly DiffLine[] {
  const { path, kind } = change;
  const text = whole ? textHunks(change) : undefined;
  if (text !== undefined) return [{ sign: "~", text: `${path}:` }, ...text.map(hunkLine)];
  const most = whole ? undefined : shortLength;
  const files = fileChange(change.old, change.new);
  if (files !== undefined)
    return [
      { sign: "~", text: `${files.label}: ${files.old === undefined ? "" : `${files.old} => `}${files.new}` },
    ];
  const was = (longest?: number) => withUnit(change.old, valueText(change.old, longest), signs.old);
  const will = (longest?: number) => withUnit(change.new, valueText(change.new, longest), signs.new);
  if (kind === "add") return [{ sign: "+", text: `${path}: ${will(most)}` }];
  if (kind === "delete") return [{ sign: "-", text: `${path}: ${was(most)}` }];
  // A refresh may know only the new value.
  if (change.old === undefined && change.new !== undefined)
    return [{ sign: "~", text: `${path}: ${will(most)} now` }];
  const [old, next] = excerptsOf([was(), will()], shortLength, most);
  return [{ sign: "~", text: `${path}: ${old} => ${next}` }];
}

const bytesText = ({ size }: FileFact) => `${size.toLocaleString("en-US")} ${size === 1 ? "byte" : "bytes"}`;
export const fileText = (file: FileFact): string => `${file.path} (${bytesText(file)})`;
const contentText = ({ path, binary }: FileFact) =>
  /\.(png|jpe?g|gif|webp|avif|svg|ico)$/i.test(path) ? "another picture" : anotherContent(!binary);

/** A changed content that isn't shown. */
export const anotherContent = (isText: boolean): string => (isText ? "another text" : "other content");

/** A changed file in words; undefined if one of the values is no file. */
export function fileChange(
  old: Value | undefined,
  next: Value | undefined,
): { readonly label: string; readonly old: string | undefined; readonly new: string } | undefined {
  if (!isFileFact(old) || !isFileFact(next)) return undefined;
  const isOther = old.sha256 !== next.sha256;
  if (old.path !== next.path)
    return {
      label: "file",
      old: fileText(old),
      new: `${fileText(next)}${isOther ? `, ${contentText(next)}` : ""}`,
    };
  // Equal sizes say nothing.
  if (old.size === next.size)
    return { label: next.path, old: undefined, new: `${contentText(next)} of ${bytesText(next)}` };
  return { label: next.path, old: bytesText(old), new: bytesText(next) };
}

/** Whether a value is shown line by line. */
export const isText = (value: Value | undefined): value is string =>
  typeof value === "string" && value !== unknownText && value.includes("\n");

/** The unified hunks of two texts, without the notes about missing line ends. */
const hunks = (old: string, next: string): readonly string[] =>
  unifiedHunks(old, next).filter((line) => !line.startsWith("\\"));

/** The hunks of a text that is shown line by line; undefined for other values. */
export const textHunks = ({ old, new: next }: Pick<Change, "old" | "new">): readonly string[] | undefined =>
  typeof old === "string" && typeof next === "string" && (isText(old) || isText(next))
    ? hunks(old, next)
    : undefined;

export function hunkLine(line: string): DiffLine {
  if (/^(?:@@|\.\.\.)/.test(line)) return { sign: " ", text: line };
  return { sign: (line[0] ?? " ") as DiffLine["sign"], text: line.slice(1) };
}
