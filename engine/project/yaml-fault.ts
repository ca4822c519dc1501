import { gitConflictText } from "../common/git-conflict.ts";

/** Messages of the YAML library that don't say how to correct the text. The library adds the place: ` at line 2, column 1:`. */
const advice: readonly (readonly [message: RegExp, instead: string])[] = [
  [/^Implicit (?:map )?keys .*?(?= at line )/, "write a colon and a blank after the key"],
  [/^Nested mappings .*?(?= at line )/, "put a value with a colon in quotes, or indent the next line less,"],
];

/** Describes why a text is not YAML, and what to write instead. */
export const yamlFault = (source: string, { message }: Error): string =>
  gitConflictText(source) ?? advice.reduce((text, [theirs, ours]) => text.replace(theirs, ours), message);
