/** Starts the longest test files first, because all cores wait for the last one. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Measured in a new clone, for runs without earlier times; other files come later. */
const longest = [
  "cli/prices",
  "packages",
  "laws/forms",
  "workflows",
  "faults/crash",
  "cli/commands",
  "cli/pull",
  "walks/crash",
  "faults/verbs",
  "laws/doors",
  "workflow-runs",
  "cli/theme",
  "cli/bad-input",
  "engine/plugins",
  "cli/shops",
  "cli/unchanged",
  "cli/renames",
  "cli/places",
  "cli/typed",
  "walks/walks",
  "faults/disk",
  "emulator/site",
  "testing",
  "cli/serve",
  "examples",
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
