/** Pages on both sides of a plan, each as one document that needs nothing beside it; those that stay as they are are left out. */
import type { SiteAnswer } from "../../emulator/index.ts";
import type { Address } from "./addresses.ts";
import type { Shops, Side } from "./shops.ts";

/** A page that changes. A side that has no such page is undefined. */
export interface Page extends Address, Partial<Readonly<Record<Side, string>>> {
  /** Whether its templates fail after the plan, and didn't before. */
  readonly broken: Mistake | undefined;
}

export type Mistake = NonNullable<SiteAnswer["mistake"]>;

export async function changedPages(shops: Shops, addresses: readonly Address[]): Promise<readonly Page[]> {
  const pages = await Promise.all(
    addresses.map(async (address) => {
      const [before, after] = await Promise.all([
        seen(shops.before.shop, address.path),
        seen(shops.after.shop, address.path),
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

type Look = (path: string) => Promise<SiteAnswer | undefined>;

async function seen({ look }: { readonly look: Look }, path: string) {
  const answer = await look(path);
  if (answer === undefined || answer.status === 404) return undefined;
  return { mistake: answer.mistake, document: await selfContained(String(answer.body), look) };
}

// No script runs. Nothing is fetched but how a page looks, from where shoppers get it.
export const policy =
  "default-src 'none'; style-src 'unsafe-inline' data: https:; font-src data: https:; img-src data: https:";

/** A page with its style sheets and pictures inside. */
async function selfContained(html: string, look: Look): Promise<string> {
  const [doctype = ""] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  // What a theme tells shoppers without scripts would stand over every page.
  const body = html.slice(doctype.length).replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "");
  return `${doctype}${head}${await withFiles(body, look, themeAddress)}`;
}

const themeAddress = /\/theme\/\d+\/[^\s"'()<>,;&]+/g;

/** Replaces addresses of the theme's files by the files themselves. */
async function withFiles(text: string, look: Look, address: RegExp, folder = ""): Promise<string> {
  const paths = [...new Set(text.match(address))];
  const found = await Promise.all(
    paths.map(async (path) => [path, await dataAddress(folder + path, look)] as const),
  );
  const byPath = new Map(found);
  return text.replaceAll(address, (path) => byPath.get(path) ?? path);
}

/** Bytes of a file beyond which a page does without it. */
const largest = 2_000_000;

async function dataAddress(path: string, look: Look): Promise<string | undefined> {
  const answer = await look(path);
  if (answer === undefined || answer.body.length > largest) return undefined;
  const { contentType, body } = answer;
  // A style sheet names other files of the theme, by their address or by their name.
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
