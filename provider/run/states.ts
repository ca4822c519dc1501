/** Objects that states on the disk have: an object that is in a state is nobody else's, and no create of it is open. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type StackPlace, stackFile, stacksFolder } from "../../engine/pulumi/backend.ts";
import { objectKey } from "../names/owner.ts";
import { kindOfType } from "../names/types.ts";
import { isSameShop, parseShopMark, shopMarkIn } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";

/** URNs of resources by the objects that they have, `Coupon:8841`. */
export type Objects = ReadonlyMap<string, string>;

interface StateFile {
  readonly checkpoint?: {
    readonly latest?: {
      readonly pending_operations?: readonly { readonly resource: { readonly urn: string } }[];
      readonly resources?: readonly {
        readonly urn: string;
        readonly type: string;
        readonly id?: string;
        readonly external?: boolean;
        readonly pendingReplacement?: boolean;
        readonly inputs?: Values;
        readonly outputs?: Values;
      }[];
    };
  };
}

/** An object of a state, `Coupon:8841`: whose it is, and of which shop, as far as the state says. */
export interface HeldObject {
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly urn: string;
  readonly shop: string | undefined;
  /** What its program asked for, and what the shop had then. */
  readonly inputs: Values;
  readonly outputs: Values;
}

/**
 * The objects of a stack whose state is in a folder; none where it has no state, or one that nobody can read.
 * @param endings that the state may have: Pulumi packs it where it is told to
 * @param isMeant of the state's text: what it isn't true of is not read further
 */
export function heldIn(
  root: string,
  place: StackPlace,
  endings: readonly string[] = stateEndings,
  isMeant: (text: string) => boolean = () => true,
): readonly HeldObject[] {
  const resources = stateIn(root, place, endings, isMeant)?.checkpoint?.latest?.resources ?? [];
  return resources.flatMap(({ urn, type, id, external, pendingReplacement, inputs = {}, outputs = {} }) => {
    const kind = kindOfType(type);
    // What is only read is somebody else's, and what was deleted to be made again is nobody's.
    const isNone = external === true || pendingReplacement === true;
    return kind === undefined || id === undefined || id === "" || isNone
      ? []
      : [{ key: objectKey(kind, id), kind, id, urn, shop: shopMarkIn(outputs), inputs, outputs }];
  });
}

/** The same by object. */
export const objectsIn = (root: string, place: StackPlace, endings?: readonly string[]): Objects =>
  new Map(heldIn(root, place, endings).map(({ key, urn }) => [key, urn]));

/** Those of which no run was interrupted while it changed them: the state has all that their notes are of. */
export function verifiedIn(root: string, place: StackPlace): ReadonlySet<string> {
  const pending =
    stateIn(root, place, stateEndings, () => true)?.checkpoint?.latest?.pending_operations ?? [];
  const underWay = new Set(pending.map(({ resource }) => resource.urn));
  return new Set(heldIn(root, place).flatMap(({ key, urn }) => (underWay.has(urn) ? [] : [key])));
}

export const stateEndings: readonly string[] = ["json", "json.gz"];

/** The newest state, while an older one that was put back is the stack's (engine/state/restored-state.ts). */
export const newerEndings: readonly string[] = ["json.newer"];

function stateIn(
  root: string,
  place: StackPlace,
  endings: readonly string[],
  isMeant: (text: string) => boolean,
): StateFile | undefined {
  const path = endings.map((ending) => stackFile(root, place, ending)).find((one) => existsSync(one));
  if (path === undefined) return undefined;
  try {
    const bytes = readFileSync(path);
    const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return isMeant(text) ? JSON.parse(text) : undefined;
  } catch {
    // The engine reads it as well, and says what is wrong with it.
    return undefined;
  }
}

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
