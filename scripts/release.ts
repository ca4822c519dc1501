/**
 * `node scripts/release.ts v1.2.3`: refuses a tag that isn't the package's version, prints its part of the changelog.
 * `npm run changelog -- 2027-01-31`: moves the changes that wait in changes/ into CHANGELOG.md, under the package's version.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");
const folder = "changes";

/** What a release has to agree with beside tag, version and changelog. */
export interface Release {
  /** Files of changes that are not in the changelog yet. */
  readonly fragments: readonly string[];
  /** The repository of package.json, which npm compares with who signs. */
  readonly repository: string;
  /** `owner/name` of the repository that releases; undefined outside of a workflow. */
  readonly builder: string | undefined;
}

/**
 * The notes of a release.
 * @throws Error where tag, package, changelog and repository don't say the same
 */
export function notesOf(tag: string, version: string, changelog: string, release?: Release): string {
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag)) throw new Error(`${tag} is no tag of a release: write v1.2.3`);
  if (tag !== `v${version}`)
    throw new Error(`the tag is ${tag} and package.json has ${version}: make them the same`);
  const section = sectionOf(changelog, version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(section.when))
    throw new Error(
      `CHANGELOG.md: the section of ${version} says ${section.when}; write the day, YYYY-MM-DD`,
    );
  const { fragments: waiting = [], repository = "", builder } = release ?? {};
  if (waiting.length > 0)
    throw new Error(`${waiting.join(", ")} is not in CHANGELOG.md yet: npm run changelog -- YYYY-MM-DD`);
  if (builder !== undefined && !repository.endsWith(`github.com/${builder}.git`))
    throw new Error(`package.json says that its repository is ${repository}, and ${builder} releases it`);
  return `${section.text.trim()}\n`;
}

/** The part of a version: what stands in its brackets, and its lines. */
function sectionOf(changelog: string, version: string) {
  const found = new RegExp(
    `^## ${version.replaceAll(".", "\\.")} \\(([^)]*)\\)\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`,
    "m",
  ).exec(changelog);
  return found === null ? undefined : { whole: found[0], when: found[1] ?? "", text: found[2] ?? "" };
}

/** The changelog with what waited for a release, under its version and day. */
export function collected(changelog: string, version: string, day: string, texts: readonly string[]): string {
  const lines = texts.join("");
  const section = sectionOf(changelog, version);
  const made = `## ${version} (${day})\n\n${[section?.text.trim(), lines.trim()].filter(Boolean).join("\n")}\n\n`;
  if (section === undefined) return changelog.replace(/^## /m, () => `${made}## `);
  return `${changelog.replace(section.whole, () => made).trimEnd()}\n`;
}

/** Changes that wait for a release: their files and texts. */
export function fragments(): readonly (readonly [string, string])[] {
  return readdirSync(at(folder))
    .filter((name) => name !== "README.md")
    .toSorted()
    .map((name) => [`${folder}/${name}`, read(`${folder}/${name}`)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version, repository } = JSON.parse(read("package.json")) as {
    version: string;
    repository: { url: string };
  };
  const [what = "", day = ""] = process.argv.slice(2);
  const waiting = fragments();
  if (what === "--collect") {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error("which day? npm run changelog -- YYYY-MM-DD");
    const texts = waiting.map(([, text]) => text);
    writeFileSync(at("CHANGELOG.md"), collected(read("CHANGELOG.md"), version, day, texts));
    for (const [path] of waiting) rmSync(at(path));
  } else
    process.stdout.write(
      notesOf(what, version, read("CHANGELOG.md"), {
        fragments: waiting.map(([path]) => path),
        repository: repository.url,
        builder: process.env.GITHUB_REPOSITORY,
      }),
    );
}
