/** Renders pages before and after a plan as self-contained documents; unchanged pages are left out. */
import type { SiteAnswer } from "../../emulator/index.ts";
import type { Shops, Side } from "./before-after-shops.ts";
import type { Address } from "./page-addresses.ts";

/** A page that changes. A missing side is undefined. */
export interface Page extends Address, Partial<Readonly<Record<Side, string>>> {
  /** The mistake, if the page fails only after the plan. */
  readonly broken: Mistake | undefined;
}

export type Mistake = NonNullable<SiteAnswer["mistake"]>;

export async function changedPages(shops: Shops, addresses: readonly Address[]): Promise<readonly Page[]> {
  const pages = await Promise.all(
    addresses.map(async (address) => {
      const [before, after] = await Promise.all([
        renderedPage(shops.before.shop, address.path),
        renderedPage(shops.after.shop, address.path),
      ]);
      const broken = before?.mistake === undefined ? after?.mistake : undefined;
      return {
        ...address,
        broken,
        ...(before !== undefined && { before: before.document }),
        ...(after !== undefined && { after: after.document }),
      };
    }),
  );
  return pages.filter(({ before, after }) => before !== after);
}

type RenderPath = (path: string) => Promise<SiteAnswer | undefined>;

async function renderedPage({ look }: { readonly look: RenderPath }, path: string) {
  const answer = await look(path);
  if (answer === undefined || answer.status === 404) return undefined;
  return { mistake: answer.mistake, document: await selfContained(String(answer.body), look) };
}

// No scripts run. Only styles, fonts and images are loaded.
export const policy =
  "default-src 'none'; style-src 'unsafe-inline' data: https:; font-src data: https:; img-src data: https:";

/** Embeds the style sheets and images of a page. */
async function selfContained(html: string, look: RenderPath): Promise<string> {
  const [doctype = ""] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  // Messages for browsers without scripts would cover every page.
  const body = html.slice(doctype.length).replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "");
  return `${doctype}${head}${await withFiles(body, look, themeAddress)}`;
}

const themeAddress = /\/theme\/\d+\/[^\s"'()<>,;&]+/g;

/** Replaces addresses of theme files by data URLs. */
async function withFiles(text: string, look: RenderPath, address: RegExp, folder = ""): Promise<string> {
  const paths = [...new Set(text.match(address))];
  const found = await Promise.all(
    paths.map(async (path) => [path, await dataAddress(folder + path, look)] as const),
  );
  const byPath = new Map(found);
  return text.replaceAll(address, (path) => byPath.get(path) ?? path);
}

/** The maximum size of an embedded file, in bytes. */
const largest = 2_000_000;

async function dataAddress(path: string, look: RenderPath): Promise<string | undefined> {
  const answer = await look(path);
  if (answer === undefined || answer.body.length > largest) return undefined;
  const { contentType, body } = answer;
  // A style sheet refers to other files of the theme by address or by name.
  const isStyle = contentType.startsWith("text/css") && typeof body === "string";
  const whole = isStyle
    ? await withFiles(
        await withFiles(body, look, themeAddress),
        look,
        /(?<=url\(\s*["']?)[^\s"'():/]+\.\w+/g,
        path.replace(/[^/]+$/, ""),
      )
    : body;
  return `data:${contentType.split(";")[0]};base64,${Buffer.from(whole).toString("base64")}`;
}
