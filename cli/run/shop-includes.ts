/** Sources that only the shop has, and that include what a plan removes: nobody's plan shows them. */
import type { Watch } from "../../engine/index.ts";
import { createClient } from "../../provider/client/index.ts";
import {
  checkTheme,
  type Finding,
  type ThemeFile,
  textIn,
  themeFileOf,
} from "../../provider/inventory/index.ts";
import { isFailed, judgeFindings, type Planned, type Run } from "../../runs/command.ts";
import { connect } from "../stack/shop.ts";
import { withFindings } from "./broken-pages.ts";

/** Sources that are read at most: a theme has some two hundred. */
const mostRead = 250;

/** A plan with what sources that only the shop has would miss; each of them is one request, and said before. */
export async function withShopIncludes(run: Run, found: Planned, watch: Watch): Promise<Planned> {
  if ((run.verb !== "preview" && run.verb !== "up") || isFailed(found)) return found;
  const { objectsOf } = await import("../pictures/objects.ts");
  const { isAsset } = await import("../pictures/rendered.ts");
  const files = objectsOf(found).filter(isAsset);
  const stays = files.flatMap(({ after }) => (after === undefined ? [] : [after]));
  const keyOf = ({ themeId, type, name }: Readonly<Record<string, unknown>>) => `${themeId} ${type} ${name}`;
  const kept = new Set(stays.map(keyOf));
  const gone = files.filter(
    ({ before }) =>
      before?.type === "Asset::Snippet" && typeof before.themeId === "number" && !kept.has(keyOf(before)),
  );
  if (gone.length === 0) return found;
  const own = new Set(files.map(({ id }) => id));
  const { transport } = connect(run.stack, run.stack.env, run.say);
  try {
    const { assets } = createClient(transport);
    let result = found;
    for (const [themeId, removed] of Map.groupBy(gone, ({ before }) => Number(before?.themeId))) {
      const others: ThemeFile[] = [];
      const sources: (ThemeFile & { readonly id: number })[] = [];
      for await (const { id, type, name } of assets.every({ themeId })) {
        if (id === undefined || own.has(`${themeId}/${id}`)) continue;
        const file = themeFileOf({ type, name });
        others.push(file);
        if (type === "Asset::Template" || type === "Asset::Snippet") sources.push({ ...file, id });
      }
      const read = sources.slice(0, mostRead);
      if (read.length === 0) continue;
      run.say(
        `what this plan removes may be included by ${read.length} of ${sources.length} sources that only the shop has: each is read, in one request`,
      );
      const seen = await Promise.all(
        read.map(({ id, ...file }) =>
          assets.get({ themeId, id }).then(
            (seen) => ({ ...file, text: textIn(seen) }),
            (error: Error) => {
              if (error.name !== "NotFoundError") throw error;
              return file;
            },
          ),
        ),
      );
      const there = [
        ...others,
        ...stays.filter((one) => one.themeId === themeId).map((one) => themeFileOf(one)),
      ];
      const lost = new Set(removed.map(({ before }) => plain(before?.name)));
      const broken = checkTheme(seen, there, "after this plan").filter(
        ({ rule, lacks }: Finding) =>
          rule === "missing-snippet" && lacks !== undefined && lost.has(plain(lacks.name)),
      );
      const judged = judgeFindings(
        run.stack,
        broken.map((finding) => {
          const [first] = removed.filter(({ before }) => plain(before?.name) === plain(finding.lacks?.name));
          const step = found.steps.find(({ id }) => id === first?.id);
          return { finding, step, names: [step?.name ?? "", step?.urn ?? ""], fails: true };
        }),
      );
      result = withFindings(result, judged, watch);
    }
    const spent = { ...result.spent, requests: result.spent.requests + transport.usage().sent };
    return { ...result, spent };
  } finally {
    await transport.close();
  }
}

const plain = (name: unknown) => String(name).replace(/\.liquid$/, "");
