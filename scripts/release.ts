/** `node scripts/release.ts v1.2.3`: refuses a tag that isn't the package's version, prints its part of the changelog. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/**
 * The notes of a release.
 * @throws Error where tag, package and changelog don't say the same
 */
export function notesOf(tag: string, version: string, changelog: string): string {
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag)) throw new Error(`${tag} is no tag of a release: write v1.2.3`);
  if (tag !== `v${version}`)
    throw new Error(`the tag is ${tag} and package.json has ${version}: make them the same`);
  const section = new RegExp(
    `^## ${version.replaceAll(".", "\\.")} \\(([^)]*)\\)\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`,
    "m",
  ).exec(changelog);
  if (section === null) throw new Error(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(section[1] ?? ""))
    throw new Error(`CHANGELOG.md: the section of ${version} says ${section[1]}; write the day, YYYY-MM-DD`);
  return `${(section[2] ?? "").trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  process.stdout.write(notesOf(process.argv[2] ?? "", version, read("CHANGELOG.md")));
}
