import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { liquidProblems } from "./liquid.ts";
import type { Problems } from "./problems.ts";
import { folder, readText } from "./text-file.ts";

/** The folder determines how the theme uses a file (platform-facts.md, section 8). */
const kinds = {
  templates: { type: "Asset::Template", endings: [".liquid"] },
  snippets: { type: "Asset::Snippet", endings: [".liquid"] },
  media: {
    type: "Asset::Media",
    endings: [".css", ".js", ".svg", ".png", ".jpg", ".gif", ".webp", ".woff2"],
  },
  config: { type: "Asset::Configuration", endings: [".json", ".html"] },
} as const;
const bytes = new Set([".png", ".jpg", ".gif", ".webp", ".woff2"]);

export interface ThemeFile {
  readonly type: (typeof kinds)[keyof typeof kinds]["type"];
  readonly name: string;
  /** Relative to the program's folder. */
  readonly path: string;
}

/** Reads a theme's folder. Reports each file that the shop would refuse, or would accept and not show. */
export function readTheme(theme: string, problems: Problems, root = folder): readonly ThemeFile[] {
  const files: ThemeFile[] = [];
  for (const entry of readdirSync(join(root, theme)))
    if (!Object.hasOwn(kinds, entry))
      problems.push(`${theme}/${entry}: a theme has only the folders ${Object.keys(kinds).join(", ")}`);
  for (const [kind, { type, endings }] of Object.entries(kinds)) {
    const entries = readdirSync(join(root, theme, kind), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${theme}/${kind}/${entry.name}`;
      const ending = extname(entry.name);
      if (!entry.isFile()) problems.push(`${path}: a theme has no folders inside its folders`);
      else if (!/^[\w.-]+$/.test(entry.name))
        problems.push(`${path}: a name is of letters, digits, dots, hyphens and underscores`);
      else if (!(endings as readonly string[]).includes(ending))
        problems.push(`${path}: under ${kind} a name ends in one of ${endings.join(", ")}`);
      else {
        if (!bytes.has(ending)) checkText(path, ending, problems, root);
        files.push({ type, name: entry.name, path });
      }
    }
  }
  return files;
}

function checkText(path: string, ending: string, problems: Problems, root: string): void {
  const before = problems.length;
  const text = readText(path, problems, root);
  if (problems.length > before) return;
  if (ending === ".liquid") for (const problem of liquidProblems(text)) problems.push(`${path}:${problem}`);
  if (ending !== ".json") return;
  try {
    JSON.parse(text);
  } catch (error) {
    problems.push(`${path}: it isn't JSON: ${(error as Error).message}`);
  }
}
