/** Pages that render now and fail after a plan. */
import type { Stack } from "../../engine/index.ts";
import type { Finding } from "../../provider/inventory/index.ts";
import type { PassResult } from "../../runs/command.ts";
import { objectsOf } from "./objects.ts";
import { pagesOf } from "./pictures.ts";
import { distinct, failingPages, findingIn, isAsset, sourceOf } from "./rendered.ts";

/** Nothing is read of the shop where every page renders. @returns with the requests that it took */
export async function brokenPages(
  staged: PassResult,
  stack: Stack,
  say: (line: string) => void,
): Promise<{ readonly findings: readonly Finding[]; readonly sent: number }> {
  const objects = objectsOf(staged);
  const { programFolder } = stack.project;
  const failing = await failingPages(objects, programFolder);
  if (failing.length === 0) return { findings: [], sent: 0 };
  say(`${failing[0]?.message} after this plan; the shop is read to see whether it fails now too`);
  const { pages, sent } = await pagesOf(staged, { stack, say, note: () => {} });
  const files = objects.flatMap((one) =>
    isAsset(one) && one.after !== undefined ? [sourceOf(one.after, programFolder)] : [],
  );
  const broken = pages.flatMap(({ title, broken: mistake }) =>
    mistake === undefined ? [] : [findingIn(title, mistake, files)],
  );
  return { findings: distinct(broken), sent };
}
