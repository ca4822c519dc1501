/**
 * Renders pages of the storefront: the theme's Liquid templates with the shop's objects. It covers what a template's
 * author needs to check a page before it goes live (docs/embedded-shop.md lists what is left out).
 */
import { Context, type FS, Liquid, LiquidError, type Template } from "liquidjs";
import type { Store, Stored } from "../store.ts";
import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { ownFilters, sayUnknown } from "./filters.ts";
import type { Say } from "./globals.ts";
import { configurationOf, globalsOf } from "./globals.ts";
import { route } from "./pages.ts";
import { registerTags } from "./tags.ts";
import type { ThemeFiles } from "./theme-files.ts";

/** A page request. */
export interface Visit {
  readonly path: string;
  /** The part after the path's question mark. */
  readonly query: URLSearchParams;
  readonly theme: Stored;
  readonly files: ThemeFiles;
  readonly host: string;
  readonly say: Say;
}

type Values = Readonly<Record<string, unknown>>;

export interface Rendered {
  readonly status: number;
  readonly html: string;
  readonly mistake?: TemplateMistake;
}

export interface TemplateMistake {
  readonly message: string;
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

// Enough for any page, but stops an endless loop. Steps are counted instead of time: rendering blocks other requests,
// and a slow machine must not fail a valid page.
const mostSteps = 30_000;
const limits = { memoryLimit: 5_000_000, parseLimit: 1_000_000 };

const tooLarge = "This page is too large for the embedded shop";

/** Counts the steps of a page's templates: Liquid calls `check` before every node and every iteration of a loop. */
function stepLimit(): Context["renderLimit"] {
  let steps = 0;
  const check = () => {
    steps += 1;
    if (steps > mostSteps) throw new Error(`${tooLarge}: it takes more than ${mostSteps} steps to render`);
  };
  return { check, use: () => undefined } as unknown as Context["renderLimit"];
}

// As in Ruby's Liquid (Context#push, Block::MAX_DEPTH): a snippet that includes itself would take all those steps.
const deepest = 100;

/** Ends a page whose snippets stand in each other without end: Liquid pushes a scope for each of them. */
function limitDepth(context: Context): Context {
  const { push, pop } = context;
  let depth = 0;
  return Object.assign(context, {
    push(scope: object) {
      depth += 1;
      if (depth > deepest) throw new Error(`${tooLarge}: its snippets include each other without end`);
      return push.call(context, scope);
    },
    pop() {
      depth -= 1;
      return pop.call(context);
    },
  });
}

/** Renders a page; an error in a template is shown with its file and line. */
export async function renderPage(store: Store, visit: Visit): Promise<Rendered> {
  const { files } = visit;
  const catalogue = catalogueOf(store);
  const { template, status, values } = route(store, catalogue, visit);
  const { engine, render, shared } = await openPage(store, catalogue, visit);
  const whole = async (name: string, more: Values) => {
    const text = (await files.text("Asset::Template", `${name}.liquid`)) ?? "";
    if (text.length > limits.parseLimit) throw new TooLong(`${name}.liquid`);
    return render(engine.parse(text, `${name}.liquid`), { ...shared, template, ...values, ...more });
  };
  try {
    const content = await whole(template, {});
    const layout = layouts.find((name) => files.has("Asset::Template", `${name}.liquid`));
    const html = layout === undefined ? content : await whole(layout, { content_for_layout: content });
    return { status, html: withTags(store, html) };
  } catch (error) {
    if (!(error instanceof LiquidError || error instanceof TooLong)) throw error;
    return { status: 500, html: mistakePage(error), mistake: mistakeIn(error) };
  }
}

/** Renders a style sheet or script that is a template. */
export async function renderMedia(store: Store, visit: Visit, text: string): Promise<string> {
  const { engine, render, shared } = await openPage(store, catalogueOf(store), visit);
  return render(engine.parse(text), shared);
}

/** The template around all pages: its current and its former name on the platform. */
const layouts = ["layouts.layout", "layout"];

/** Liquid with the platform's filters and tags, and the values that every template of a page has. */
async function openPage(store: Store, catalogue: Catalogue, visit: Visit) {
  const { theme, files, say } = visit;
  const engine = new Liquid({ ...limits, fs: snippetsOf(files, say), relativeReference: false });
  const [account] = store.list("account");
  const currency = String(account?.currency_code ?? catalogue.products[0]?.currency_code ?? "");
  const filters = ownFilters({ theme: theme.id, files, currency, say });
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter);
  registerTags(engine, visit, say);
  sayUnknown(engine, say);
  const { settings, messages, locale } = await configurationOf(files);
  const common = globalsOf(store, catalogue, visit, say);
  const language = { ...(common.language as Values), locale };
  const limit = stepLimit();
  return {
    engine,
    shared: { ...common, language, settings, messages },
    async render(parsed: Template[], values: Values): Promise<string> {
      const context = new Context(values, engine.options, {}, { renderLimit: limit, liquid: engine });
      return String(await engine.render(parsed, limitDepth(context)));
    },
  };
}

/** Snippets of the platform itself, which no theme has. */
const isPlatforms = (name: string) => name.startsWith("system_");
const systemHead = '<meta charset="utf-8"><title>{{ page_title | escape }}</title>';

/** Finds included snippets, with and without their extension (platform-facts.md, section 8). */
function snippetsOf(files: ThemeFiles, say: Say): FS {
  const named = (name: string) =>
    [name, `${name}.liquid`, name.replace(/\.liquid$/, "")].find((one) => files.has("Asset::Snippet", one)) ??
    name;
  const never = () => {
    throw new Error("pages are rendered asynchronously");
  };
  return {
    resolve(_folder, name: unknown) {
      if (typeof name === "string") return named(name);
      throw new Error(`a snippet is included by its name, a text in quotation marks, got ${String(name)}`);
    },
    exists: async (name) => files.has("Asset::Snippet", name) || isPlatforms(name),
    async readFile(name) {
      if (files.has("Asset::Snippet", name)) return (await files.text("Asset::Snippet", name)) ?? "";
      if (name === "system_head") return systemHead;
      say(`the platform's own snippet ${name} is left out`);
      return "";
    },
    existsSync: never,
    readFileSync: never,
    dirname: () => "",
  };
}

/** The theme for desktop visitors. */
export const publishedTheme = (themes: readonly Stored[]): Stored | undefined =>
  themes.find(({ is_published, is_mobile }) => is_published && !is_mobile);

/** Inserts the application's scripts into a page (interface.md, JS tags). */
function withTags(store: Store, html: string): string {
  const tags = store
    .list("js_tag")
    .map(({ type, content }) =>
      type === "JsTag::FileTag"
        ? `<script src="${String(content).replaceAll('"', "&quot;")}"></script>`
        : `<script>${String(content).replaceAll("</script", "<\\/script")}</script>`,
    )
    .join("\n");
  return html.includes("</body>")
    ? html.replace(/<\/body>(?![\s\S]*<\/body>)/, () => `${tags}</body>`)
    : `${html}${tags}`;
}

/** Liquid tells this without the template's name, and as an error that isn't its own. */
class TooLong extends Error {
  constructor(template: string) {
    const most = limits.parseLimit.toLocaleString("en");
    super(`${tooLarge}: the template has more than ${most} characters, file:${template}, line:1, col:1`);
  }
}

function mistakeIn({ message }: Error): TemplateMistake {
  const [, text = message, source = "", line = 1, column = 1] =
    /^(.*?)(?:, file:(.*?))?, line:(\d+), col:(\d+)$/s.exec(message) ?? [];
  const said = /^memory alloc limit/.test(text) ? `${tooLarge}: it builds texts or lists without end` : text;
  return { message: said, source, line: Number(line), column: Number(column) };
}

function mistakePage(error: LiquidError | TooLong): string {
  const text = `${error.message}\n\n${"context" in error ? error.context : ""}`
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
  const title = error.message.includes(tooLarge) ? tooLarge : "A mistake in a template";
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><pre>${text}</pre></body></html>\n`;
}
