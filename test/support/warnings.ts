/** Checks that successful commands in tests print no unexpected warnings. */
import { expect } from "vitest";

// Our own and the SDK's, and Node's with their names: `(node:7) ExperimentalWarning: ...`.
const warning = /^\s*(?:\(node:\d+\) )?(?:\[\w+\] )?\w*warning: /i;

/** @param expected the warnings that the test expects */
export function expectCalm(output: string, expected: readonly RegExp[] = []): void {
  const lines = output.split("\n").filter((line) => warning.test(line));
  expect(lines.filter((line) => !expected.some((one) => one.test(line)))).toEqual([]);
}
