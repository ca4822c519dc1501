/** The files of tests that take longest begin first: one that begins last is waited for by every other core. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** As they were measured in a fresh clone, where no run before says it; what isn't named comes after them. */
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
