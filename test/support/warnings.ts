/** What every command of a test is held to that ends well: it warns of nothing, unless the test says of what. */
import { expect } from "vitest";

// Ours and the SDK's, and Node's, whose kinds have names: `(node:7) ExperimentalWarning: ...`.
const warning = /^\s*(?:\(node:\d+\) )?(?:\[\w+\] )?\w*warning: /i;

/** @param expected what the test expects to be warned of */
export function expectCalm(output: string, expected: readonly RegExp[] = []): void {
  const lines = output.split("\n").filter((line) => warning.test(line));
  expect(lines.filter((line) => !expected.some((one) => one.test(line)))).toEqual([]);
}
