/**
 * `node scripts/release.ts v1.2.3`: refuses a tag that isn't the package's version, and prints its part of the
 * changelog.
 */
import { readdirSync, readFileSync } from "node:fs";

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");

/** Facts that must match a release, beside tag, version and changelog. */
export interface Release {
  /** Change files that are not in the changelog yet. */
  readonly waiting: readonly string[];
  /** The repository in package.json, which npm compares with the signature. */
  readonly repository: string;
  /** `owner/name` of the releasing repository; undefined outside of a workflow. */
  readonly builder: string | undefined;
}

/**
 * The notes of a release.
 * @throws Error if tag, package, changelog and repository don't match
 */
export function notesOf(tag: string, version: string, changelog: string, release?: Release): string {
  const { waiting = [], repository = "", builder } = release ?? {};
  if (tag !== `v${version}`)
    throw new Error(
      `the tag is ${tag} and package.json has ${version}: make them the same, v1.2.3 for 1.2.3`,
    );
  if (waiting.length > 0)
    throw new Error(`${waiting.join(", ")} is not in CHANGELOG.md yet: npm run changelog`);
  if (builder !== undefined && !repository.endsWith(`github.com/${builder}.git`))
    throw new Error(`package.json says that its repository is ${repository}, and ${builder} releases it`);
  const [, section] = changelog.split(`\n## ${version}\n`);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  return `${(section.split(/^## /m)[0] ?? "").trim()}\n`;
}

if (import.meta.main) {
  const { version, repository } = JSON.parse(read("package.json")) as {
    version: string;
    repository: { url: string };
  };
  const waiting = readdirSync(at(".changeset")).filter((name) => /^(?!README).*\.md$/.test(name));
  const builder = process.env.GITHUB_REPOSITORY;
  process.stdout.write(
    notesOf(process.argv[2] ?? "", version, read("CHANGELOG.md"), {
      waiting,
      repository: repository.url,
      builder,
    }),
  );
}
