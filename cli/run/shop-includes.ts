/**
 * Includes that a plan breaks and that it can't show by itself: of a snippet that it removes, in sources that only the shop has;
 * and of one that is not written because it was refused, where the shop has none of that name.
 */
import type { Step, Watch } from "../../engine/index.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import { checkTheme, pathOf, type ThemeFile, textIn, themeFileOf } from "../../provider/inventory/index.ts";
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import { isThemeFile } from "../../provider/resources/index.ts";
import { isFailed, judgeFindings, type Preview, type Run } from "../../runs/command.ts";
import { connect } from "../stack/shop.ts";
import { withFindings } from "./broken-pages.ts";

/** Sources that are read at most: a theme has some two hundred. */
const mostRead = 250;

type Values = Readonly<Record<string, unknown>>;
type Listed = ThemeFile & { readonly id: number };

/** A snippet that won't be where it is, or where the program wants it. */
interface Lost {
  readonly step: Step | undefined;
  readonly themeId: number;
  readonly name: string;
}

const keyOf = ({ themeId, type, name }: Values) => `${themeId} ${type} ${name}`;
const isSource = ({ type }: Values | ThemeFile) => type === "Asset::Template" || type === "Asset::Snippet";
const isWritten = ({ op, type, partOf, inputs }: Step) =>
  op !== "delete" && partOf === undefined && isSource(inputs) && isThemeFile(type);

/** A plan with the includes that it breaks; each source of the shop is one request, and said before. */
export async function withShopIncludes(run: Run, found: Preview, watch: Watch): Promise<Preview> {
  if ((run.verb !== "preview" && run.verb !== "up") || isFailed(found)) return found;
  // What pages are rendered with takes long to load.
  const steps = [...found.steps, ...found.declined.map(({ step }) => step)];
  if (!steps.some(({ type }) => isThemeFile(type))) return found;
  const { objectsOf } = await import("../pictures/objects.ts");
  const { isAsset, sourceOf } = await import("../pictures/rendered.ts");
  const files = objectsOf(found).filter(isAsset);
  const stays = files.flatMap(({ after }) => (after === undefined ? [] : [after]));
  const kept = new Set(stays.map(keyOf));
  const lostOf = (values: Values = {}, step?: Step): readonly Lost[] =>
    values.type === "Asset::Snippet" && typeof values.themeId === "number" && !kept.has(keyOf(values))
      ? [{ step, themeId: values.themeId, name: withoutLiquid(values.name) }]
      : [];
  const removed = files.flatMap((one) =>
    lostOf(
      one.before,
      found.steps.find(({ id }) => id === one.id),
    ),
  );
  const refused = found.declined.flatMap(({ step }) => lostOf(step.inputs, step));
  if (removed.length + refused.length === 0) return found;
  const own = new Set(files.map(({ id }) => id));
  const { transport } = connect(run.stack, run.stack.env, run.say);
  const { assets } = createClient(transport);
  try {
    let result = found;
    for (const themeId of new Set([...removed, ...refused].map((one) => one.themeId))) {
      const inTheme = (one: { readonly themeId?: unknown }) => one.themeId === themeId;
      const listed = (await listedIn(assets, themeId)).filter(({ id }) => !own.has(`${themeId}/${id}`));
      const there = [...listed, ...stays.filter(inTheme).map((one) => themeFileOf(one))];
      const missing = (sources: readonly ThemeFile[], lost: readonly Lost[]) =>
        checkTheme(sources, there, "after this plan").flatMap((finding) => {
          const first = lost.find((one) => inTheme(one) && one.name === withoutLiquid(finding.lacks?.name));
          return finding.rule === "missing-snippet" && first !== undefined ? [{ finding, ...first }] : [];
        });
      const gone = removed.some(inTheme) ? listed.filter(isSource) : [];
      // The look at the plan alone (runs/plans/missing.ts) compares these with what the plan removes.
      const written = found.steps.flatMap((step) =>
        isWritten(step) && inTheme(step.inputs)
          ? [{ step, source: sourceOf(step.inputs, run.stack.project.programFolder) }]
          : [],
      );
      const broken = [
        ...missing(await textsOf(assets, gone, { themeId, say: run.say }), removed),
        ...missing(
          written.map(({ source }) => source),
          refused,
        ).map((one) => ({
          ...one,
          step: written.find(({ source }) => pathOf(source) === one.finding.path)?.step,
        })),
      ].map(({ finding, step }) => ({
        ...{ finding, step, fails: true },
        names: [step?.name ?? "", step?.urn ?? ""],
      }));
      result = withFindings(result, judgeFindings(run.stack, broken), watch);
    }
    const usage = { ...result.usage, requests: result.usage.requests + transport.usage().sent };
    return { ...result, usage };
  } finally {
    await transport.close();
  }
}

async function listedIn(assets: Client["assets"], themeId: number): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for await (const { id, type, name } of assets.every({ themeId }))
    if (id !== undefined) listed.push({ ...themeFileOf({ type, name }), id });
  return listed;
}

/** Sources with their texts, as far as they are still there. */
function textsOf(
  assets: Client["assets"],
  sources: readonly Listed[],
  { themeId, say }: { readonly themeId: number; readonly say: (line: string) => void },
): Promise<readonly ThemeFile[]> {
  const read = sources.slice(0, mostRead);
  if (read.length > 0)
    say(
      `what this plan removes may be included by ${read.length} of ${sources.length} sources that only the shop has: each is read, in one request`,
    );
  return Promise.all(
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
}
