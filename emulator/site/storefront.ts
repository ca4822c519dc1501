/**
 * Renders pages of the storefront: the theme's Liquid templates with the shop's objects. It covers what a template's
 * author needs to check a page before it goes live (docs/embedded-shop.md lists what is left out).
 */
import { Context, type FS, Liquid, LiquidError, Tokenizer } from "liquidjs";
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
  /** The page, or the text of a style sheet or script. */
  readonly text: string;
  /** Then the text is a page that shows it. */
  readonly mistake?: TemplateMistake | undefined;
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
const memoryLimit = 5_000_000;
/** Maximum characters of a template; the check of a theme has the same limit. */
const longest = 1_000_000;

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
  const { render, shared } = await openPage(store, catalogue, visit);
  const whole = async (name: string, more: Values) => {
    const text = (await files.text("Asset::Template", `${name}.liquid`)) ?? "";
    return render(text, `${name}.liquid`, { ...shared, template, ...values, ...more });
  };
  return orMistake(status, async () => {
    const content = await whole(template, {});
    const layout = layouts.find((name) => files.has("Asset::Template", `${name}.liquid`));
    const html = layout === undefined ? content : await whole(layout, { content_for_layout: content });
    return withTags(store, html);
  });
}

/** Renders a style sheet or script that is a template. */
export async function renderMedia(store: Store, visit: Visit, name: string, text: string): Promise<Rendered> {
  const { render, shared } = await openPage(store, catalogueOf(store), visit);
  return orMistake(200, () => render(text, name, shared));
}

async function orMistake(status: number, work: () => Promise<string>): Promise<Rendered> {
  try {
    return { status, text: await work() };
  } catch (error) {
    if (!(error instanceof LiquidError)) throw error;
    const mistake = mistakeIn(error);
    return { status: 500, text: mistakePage(mistake, error.context), mistake };
  }
}

/** The template around all pages: its current and its former name on the platform. */
const layouts = ["layouts.layout", "layout"];

/** Liquid with the platform's filters and tags, and the values that every template of a page has. */
async function openPage(store: Store, catalogue: Catalogue, visit: Visit) {
  const { theme, files, say } = visit;
  const engine = new Liquid({ memoryLimit, fs: snippetsOf(files, say), relativeReference: false });
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
    shared: { ...common, language, settings, messages },
    async render(text: string, name: string, values: Values): Promise<string> {
      const parsed = engine.parse(checkLength(text, name), name);
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
      if (files.has("Asset::Snippet", name))
        return checkLength((await files.text("Asset::Snippet", name)) ?? "", name);
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

/** @throws LiquidError Liquid itself tells this without the template's name, and as an error that isn't its own. */
function checkLength(text: string, name: string): string {
  const message = `${tooLarge}: the template has more than ${longest.toLocaleString("en")} characters`;
  new Tokenizer(text.slice(0, 80), undefined, name).assert(text.length <= longest, message);
  return text;
}

function mistakeIn({ message }: Error): TemplateMistake {
  const [, text = message, source = "", line = 1, column = 1] =
    /^(.*?)(?:, file:(.*?))?, line:(\d+), col:(\d+)$/s.exec(message) ?? [];
  const said = /^memory alloc limit/.test(text) ? `${tooLarge}: it builds texts or lists without end` : text;
  return { message: said, source, line: Number(line), column: Number(column) };
}

function mistakePage({ message, source, line, column }: TemplateMistake, context: string): string {
  const text = `${message}, file:${source}, line:${line}, col:${column}\n\n${context}`
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
  const title = message.includes(tooLarge) ? tooLarge : "A mistake in a template";
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><pre>${text}</pre></body></html>\n`;
}
