/** Hashes of lines for the state: six characters for each line. */
import { hash } from "node:crypto";

export const linesOf = (text: string): readonly string[] => text.split("\n");

export const hashOfLine = (line: string): string => hash("sha256", line, "base64url").slice(0, 6);

/** Splits the hashes in a state. */
export const hashesIn = (kept: string): readonly string[] => kept.match(/.{6}/g) ?? [];
