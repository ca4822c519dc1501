/** Checks of themes around a plan that need the shop or an embedded shop. */
import type { Step, Watch } from "../../engine/index.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import {
  checkTheme,
  type Finding,
  pathOf,
  printable,
  type ThemeFile,
  textIn,
  themeFileOf,
} from "../../provider/inventory/index.ts";
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import { isThemeFile } from "../../provider/resources/index.ts";
import {
  isFailed,
  isPlan,
  type PassResult,
  type Preview,
  type Run,
  withFindings,
} from "../../runs/command.ts";
import type { RunValues } from "../run-options.ts";
import { connect } from "../stack/open-stack.ts";
import { printNote } from "../terminal/terminal.ts";

/** A theme has about two hundred files. */
const maxReads = 250;

type Values = Readonly<Record<string, unknown>>;
type Listed = ThemeFile & { readonly id: number };

/** A snippet that the plan removes, or that the provider refused to create. */
interface MissingSnippet {
  readonly step: Step | undefined;
  readonly themeId: number;
  readonly name: string;
}

const keyOf = ({ themeId, type, name }: Values) => `${themeId} ${type} ${name}`;
const isSource = ({ type }: Values | ThemeFile) => type === "Asset::Template" || type === "Asset::Snippet";
const isWritten = ({ op, type, partOf, inputs }: Step) =>
  op !== "delete" && partOf === undefined && isSource(inputs) && isThemeFile(type);

/**
 * Adds includes that the plan breaks: files that only the shop has and that include a removed snippet, and files
 * that include a refused one. Each such file is one request.
 */
export async function withShopIncludes(run: Run, found: Preview, watch: Watch): Promise<Preview> {
  if ((run.verb !== "preview" && run.verb !== "up") || isFailed(found)) return found;
  // Loaded on demand: the renderer takes long to load.
  const steps = [...found.steps, ...found.declined.map(({ step }) => step)];
  if (!steps.some(({ type }) => isThemeFile(type))) return found;
  const { objectsOf } = await import("../pictures/objects.ts");
  const { isAsset, sourceOf } = await import("../pictures/broken-pages.ts");
  const files = objectsOf(found).filter(isAsset);
  const stays = files.flatMap(({ after }) => (after === undefined ? [] : [after]));
  const kept = new Set(stays.map(keyOf));
  const lostOf = (values: Values = {}, step?: Step): readonly MissingSnippet[] =>
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
      const missing = (sources: readonly ThemeFile[], lost: readonly MissingSnippet[]) =>
        checkTheme(sources, there, "after this plan").flatMap((finding) => {
          const first = lost.find((one) => inTheme(one) && one.name === withoutLiquid(finding.lacks?.name));
          return finding.rule === "missing-snippet" && first !== undefined ? [{ finding, ...first }] : [];
        });
      const gone = removed.some(inTheme) ? listed.filter(isSource) : [];
      // The check of the plan alone is in runs/plans/theme-check.ts.
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
      result = withFindings(run, result, broken, watch);
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

/** The files with their texts; files that were deleted meanwhile have none. */
function textsOf(
  assets: Client["assets"],
  sources: readonly Listed[],
  { themeId, say }: { readonly themeId: number; readonly say: (line: string) => void },
): Promise<readonly ThemeFile[]> {
  const read = sources.slice(0, maxReads);
  if (read.length > 0)
    say(
      `reading ${read.length} of ${sources.length} theme files that only the shop has, one request each: they may include files that this plan removes`,
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

/** Whether a step writes a file from which pages are rendered. */
const rendersPages = ({ type, op, inputs }: Step): boolean =>
  op !== "delete" &&
  isThemeFile(type) &&
  (inputs.type !== "Asset::Media" || String(inputs.name).endsWith(".liquid"));

const placeOf = ({ path, line }: Finding) => `${path}:${line}`;

/** Adds pages that render now and fail after the plan. */
export async function withPages(
  { verb, stack, values, say }: Run & { readonly values: RunValues },
  found: Preview,
  watch: Watch,
): Promise<Preview> {
  const written = found.steps.filter(rendersPages);
  // --pictures renders all pages anyway, with the shop's content.
  if (!isPlan(verb) || values.pictures !== undefined || isFailed(found) || written.length === 0) return found;
  const { brokenPages } = await import("../pictures/pictures.ts");
  const { findings: broken, sent } = await brokenPages(found, stack, say);
  const known = new Set(found.findings.map(placeOf));
  const fresh = broken
    .filter((one) => !known.has(placeOf(one)))
    .map((finding) => {
      const step = written.find(({ inputs }) => finding.path.endsWith(`/${inputs.name}`)) ?? written[0];
      return { finding, step, names: [step?.name ?? "", step?.urn ?? ""], fails: true };
    });
  const whole = withFindings({ stack }, found, fresh, watch);
  return { ...whole, usage: { ...whole.usage, requests: whole.usage.requests + sent } };
}

/** Whether a step wrote a file that the shop compiles. */
const isCompiled = ({ type, op, inputs }: Step): boolean =>
  op !== "delete" &&
  isThemeFile(type) &&
  inputs.type === "Asset::Media" &&
  /\.(?:scss|less|coffee|ts|jsx|liquid)$/.test(String(inputs.name));

/** Warns about compile errors. Needs one request, and none if the run wrote no such file. */
export async function themeErrors(
  { stack }: Pick<Run, "stack">,
  { steps, isPreview }: PassResult,
): Promise<void> {
  const ids = new Set(steps.filter(isCompiled).map(({ inputs }) => String(inputs.themeId)));
  if (isPreview || ids.size === 0) return;
  const { transport } = connect(stack, stack.env, printNote);
  const warn = (line: string) => printNote(`warning: ${printable(line)}`);
  try {
    const themes = await createClient(transport).themes.list();
    for (const { id, title, errorsText = "" } of themes)
      if (ids.has(String(id)) && errorsText.trim() !== "")
        warn(`the shop couldn't compile the theme ${title} (${id}): ${errorsText.trim()}`);
  } catch (error) {
    // The run itself is complete.
    warn(`can't tell whether the shop could compile the theme: ${(error as Error).message}`);
  } finally {
    await transport.close();
  }
}
