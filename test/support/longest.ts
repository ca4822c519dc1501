/** Starts the longest test files first, because all cores wait for the last one. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Measured in a new clone, for runs without earlier times; other files come later. */
const longest = [
  "docs/guides",
  "cli/prices",
  "cli/screens",
  "walks/findings",
  "emulator/site",
  "laws/four-ways",
  "walks/walks",
  "cli/pull-themes",
  "cli/accept",
  "cli/commands",
  "cli/accept-state",
  "walks/interrupted-sheets",
  "packages",
  "laws/forms",
  "engine/interrupted",
  "cli/pull",
  "library",
  "examples",
  "testing",
  "cli/accepted-elsewhere",
  "laws/ignored",
  "faults/crash",
  "walks/plans",
  "cli/owners",
  "cli/partial-products",
  "cli/theme-dev",
  "cli/broken-answers",
  "cli/pull-existing",
  "walks/crash",
  "workflows",
  "cli/places",
  "cli/begun-stacks",
  "cli/accept-sources",
  "cli/compare",
  "cli/serve",
  "engine/plugins",
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
