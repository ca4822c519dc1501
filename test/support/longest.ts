/** The files of tests that take longest begin first: one that begins last is waited for by every other core. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** As they were measured in a fresh clone, where no run before says it; what isn't named comes after them. */
const longest = [
  "faults/crash",
  "packages",
  "walks/crash",
  "cli/commands",
  "cli/pull",
  "e2e/demo",
  "cli/places",
  "testing",
  "faults/disk",
  "cli/serve",
  "engine/plugins",
  "examples",
  "faults/verbs",
  "workflow-runs",
  "walks/walks",
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
