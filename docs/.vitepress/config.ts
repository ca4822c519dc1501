/**
 * The documentation as a site, with search and a dark theme: `npm run site`. VitePress is fetched for that and is no dependency, so
 * nothing of it is imported here. A dead link ends the build.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("..", import.meta.url));
const { repository: own } = JSON.parse(readFileSync(join(docs, "../package.json"), "utf8")) as {
  readonly repository: { readonly url: string };
};
const repository = own.url.replace(/^git\+|\.git$/g, "");

const titleOf = (path: string) =>
  /^(?:# |title: Shop )(.*)$/m
    .exec(readFileSync(join(docs, `${path}.md`), "utf8"))?.[1]
    ?.replaceAll("`", "") ?? path;
const item = (path: string) => ({ text: titleOf(path), link: `/${path}` });
const folder = (name: string) =>
  readdirSync(join(docs, name))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .toSorted()
    .map((file) => item(`${name}/${file.slice(0, -".md".length)}`));
const group = (text: string, items: readonly object[], collapsed?: boolean) => ({ text, items, collapsed });

interface Token {
  type: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { env: { relativePath: string }; tokens: Token[] }) => void): void;
    };
  };
}

/** Where a link of a page leads on the site: to a page of it, else to the file in the repository. */
export function siteLink(href: string, page: string): string {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///docs/${page}`);
  if (!/^\/docs\/.*\.md$|^\/docs\/images\//.test(pathname))
    return `${repository}/blob/main${pathname}${hash}`;
  return href.replace(/\bREADME\.md/, "index.md");
}

/** What looks like a tag is text, unless it is a comment. */
function asPages(md: Markdown): void {
  md.core.ruler.push("as_pages", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "html_inline" && !token.content.startsWith("<!--")) token.type = "text";
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href !== null) token.attrSet("href", siteLink(href, env.relativePath));
    }
  });
}

/** The anchor of a heading as GitHub makes it, so that a link leads to the same place there and here. */
export const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default {
  title: "pulumi-shop",
  description: "Manage your online shop like code",
  cleanUrls: true,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    // An option is one word, and a line of output is read as it is printed.
    ["style", {}, "@media (min-width: 768px) { .vp-doc td:first-child code { white-space: nowrap } }"],
  ],
  // The first page of Pulumi's Registry, in its own form.
  srcExclude: ["_index.md"],
  rewrites: (path: string) => path.replace("README", "index"),
  markdown: { config: asPages, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      { text: "Tutorials", link: "/tutorials/new-shop" },
      { text: "How to", link: "/how-to/" },
      { text: "Reference", link: "/commands" },
      { text: "Rules", link: "/rules" },
    ],
    sidebar: [
      group("Tutorials", ["tutorials/new-shop", "tutorials/existing-shop", "tutorials/theme"].map(item)),
      group("How to", folder("how-to")),
      group("Help", ["troubleshooting", "faq", "glossary"].map(item)),
      group("Reference", [
        ...[
          "commands",
          "installation-configuration",
          "data-sources",
          "testing",
          "library",
          "embedded-shop",
          "plugin",
        ].map(item),
        group("Commands", folder("commands"), true),
        group("Resources", folder("resources"), true),
      ]),
      group(
        "How it works",
        ["rules", "back-office", "promotion", "teams", "themes", "reliability", "compare", "performance"].map(
          item,
        ),
      ),
      group(
        "Contributors",
        [
          ...["layout", "campaigns", "dependencies", "releasing", "interface", "platform-facts"].map(item),
          group("Decisions", folder("decisions"), true),
        ],
        true,
      ),
    ],
  },
};
