/** The other stacks of a program: an edit that one stack accepts changes the program of all. */
import { type Stack, stacks } from "../../engine/index.ts";
import { filePath } from "../../provider/inventory/index.ts";
import { type Declaration, type Declarations, readDeclarations } from "../program/declarations.ts";
import type { Sources } from "../program/sources.ts";
import { valuesIn } from "../program/traced-values.ts";
import type { Acceptance } from "./acceptance.ts";
import { type Change, isDrift } from "./drift.ts";
import { isBodyFile } from "./file-edits.ts";
import { foundIn, type Program } from "./program-edits.ts";

type Own = Pick<Stack, "name" | "project" | "env">;

const otherNames = ({ name, project, env }: Own): readonly string[] =>
  stacks({ folder: project.folder, env }).filter((other) => other !== name);

/** The resources of a project's other stacks; they are read when somebody asks. */
export function otherPrograms(stack: Own, sources: Sources): Program["others"] {
  let known: ReadonlyMap<string, Declarations> | undefined;
  return () => {
    known ??= new Map(otherNames(stack).map((other) => [other, readDeclarations(sources, other)]));
    return known;
  };
}

/** The stacks whose program an edit changes, too. @param program undefined if its text isn't followed */
export function stacksWith(
  stack: Own,
  { accepted }: Pick<Acceptance, "accepted">,
  program?: Program,
): readonly string[] {
  const changes = [...accepted].flatMap(([change, places]) => (places.length > 0 ? [change] : []));
  if (changes.length === 0) return [];
  if (program === undefined) return otherNames(stack);
  const { statements } = program;
  return [...program.others()].flatMap(([other, others]) =>
    changes.some((change) => isIn(others, change, statements.find(change.kind, change.name))) ? [other] : [],
  );
}

/** Whether a stack's program reads what a change writes. */
function isIn(others: Declarations, change: Change, own: Declaration | undefined): boolean {
  // The program computes its name, or a component makes it.
  if (own === undefined) return true;
  if (!isDrift(change)) return own.makers.every(({ node }) => others.made(node) > 0);
  if (isBodyFile(change)) {
    const file = fileOf(own);
    return file === undefined ? others.made(own.at.node) > 0 : others.all.some((one) => fileOf(one) === file);
  }
  const found = foundIn(own, change);
  const at = "value" in found ? found.value.at : found.at;
  return at === undefined || at === own.at ? others.made(own.at.node) > 0 : others.readers(at.node) > 0;
}

const fileOf = ({ args }: Declaration): string | undefined => filePath(valuesIn(args));

/** Says before an edit is written which other stacks have it. */
export const otherStackLines = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `The program of ${names.join(", ")} changes, too: the next up there sends it. Where stacks should differ, let the program ask for pulumi.getStack().`,
      ];
