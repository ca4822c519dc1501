/** Notes of creates that are a stack's though they don't lie beside its state: Pulumi's own `stack rename` takes only the state with it. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { type StackPlace, stackFile, stacksFolder } from "../../engine/pulumi/backend.ts";
import { isSameShop, parseShopMark } from "../values/identity.ts";
import { type HeldObject, heldIn, objectsIn, stateEndings } from "./states.ts";

const ending = ".creates";

const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
// A first run that was interrupted has left a journal, and no state yet.
const hasState = (root: string, place: StackPlace) =>
  [...stateEndings, "journal"].some((one) => existsSync(stackFile(root, place, one)));

/** Files of notes of the project without a state beside them: of a stack that has another name now. */
export function strayNotes(root: string, { project, stack }: StackPlace): readonly string[] {
  return namesIn(stacksFolder(root, project)).flatMap((name) => {
    if (!name.endsWith(ending)) return [];
    const other = { project, stack: name.slice(0, -ending.length) };
    return other.stack === stack || hasState(root, other) ? [] : [stackFile(root, other, "creates")];
  });
}

/** The stacks of the backend, of all projects. */
const allStacks = (root: string): readonly StackPlace[] =>
  namesIn(stacksFolder(root, "")).flatMap((project) =>
    stacksOf(root, project).map((stack) => ({ project, stack })),
  );

/** Objects that any stack of the backend has, as `Kind:id`. */
export const objectsOfAll = (root: string): ReadonlySet<string> =>
  new Set(allStacks(root).flatMap((place) => [...objectsIn(root, place).keys()]));

/** What the backend's other stacks have of a shop. @param here the shop's mark */
export function heldElsewhere(root: string, own: StackPlace, here: string): readonly HeldObject[] {
  const mark = parseShopMark(here);
  const names = (text: string) =>
    text.includes(mark.url) || (mark.account !== undefined && text.includes(`#${mark.account}"`));
  return allStacks(root)
    .filter(({ project, stack }) => project !== own.project || stack !== own.stack)
    .flatMap((place) => heldIn(root, place, stateEndings, names))
    .filter(({ shop }) => shop !== undefined && isSameShop(parseShopMark(shop), mark));
}

function stacksOf(root: string, project: string): readonly string[] {
  const folder = stacksFolder(root, project);
  // A file of Pulumi's older layout, or what lies beside one, is no project.
  if (!statSync(folder).isDirectory()) return [];
  return namesIn(folder).flatMap((name) => /^(.+?)\.json(?:\.gz)?$/.exec(name)?.[1] ?? []);
}
