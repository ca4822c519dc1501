/** Files that sources of themes include, and neither their folder nor the shop has: the plan may make them. */
import type { Event, Stack, Step } from "../../engine/index.ts";
import { isAllowed, type Notice } from "../../provider/inventory/index.ts";
import { readOwner } from "../../pulumi/owner.ts";
import type { Refusal } from "../report/refusals.ts";
import { guardIn } from "./guard.ts";

type Lacks = Extract<Notice, { type: "lacks" }>;

/** What no step of a plan makes: refused on a protected stack where a page would fail, and a warning otherwise. */
export function missingFiles(
  stack: Stack,
  steps: readonly Step[],
  notices: readonly Notice[],
): { readonly refused: readonly Refusal[]; readonly warnings: readonly Event[] } {
  const plain = (name: unknown) => String(name).replace(/\.liquid$/, "");
  const made = new Set(
    steps
      .filter(({ op }) => op !== "delete" && op !== "delete-replaced")
      .map(({ inputs: { type, name } }) => `${type} ${plain(name)}`),
  );
  const missing = notices.filter(
    (one): one is Lacks => one.type === "lacks" && !made.has(`${one.file.type} ${plain(one.file.name)}`),
  );
  const guard = guardIn(stack);
  const named = missing.map((one) => {
    const { name = "" } = readOwner(one.of);
    const step = steps.find((other) => other.name === name && other.type.endsWith(`:${one.kind}`));
    const isRefused = guard?.isProtected === true && one.fails && !isAllowed(guard, name, one.of);
    return { ...one, name, step, isRefused };
  });
  return {
    refused: named.flatMap(({ isRefused, step, line, name }) =>
      isRefused
        ? [{ step, text: `${line} (shop:protected)`, permit: `pass --allow ${name} to send it all the same` }]
        : [],
    ),
    warnings: named.flatMap(({ isRefused, line, step, fails }) =>
      isRefused
        ? []
        : [
            {
              type: "message" as const,
              severity: "info" as const,
              text: `${fails ? "error" : "warning"}: ${line}`,
              urn: step?.urn,
            },
          ],
    ),
  };
}
