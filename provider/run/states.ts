/** Objects in the states on disk, and stacks of a backend. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type StackPlace, stackFile, stacksFolder } from "../../engine/pulumi/backend.ts";
import { objectKey } from "../names/owner.ts";
import { kindOfType } from "../names/types.ts";
import { isSameShop, parseShopMark, shopMarkIn } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";

/** URNs of resources by object, `Coupon:8841`. */
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

/** An object in a state, `Coupon:8841`, with its resource and its shop. */
export interface HeldObject {
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly urn: string;
  readonly shop: string | undefined;
  /** The arguments, and the shop's values at that time. */
  readonly inputs: Values;
  readonly outputs: Values;
}

/**
 * The objects in a stack's state; none if the file is missing or unreadable.
 * @param endings possible endings of the file; Pulumi can compress states
 * @param isMeant a test of the file's text; if false, the file isn't parsed
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
    // External resources are managed elsewhere; an object that is pending replacement is deleted.
    const isNone = external === true || pendingReplacement === true;
    return kind === undefined || id === undefined || id === "" || isNone
      ? []
      : [{ key: objectKey(kind, id), kind, id, urn, shop: shopMarkIn(outputs), inputs, outputs }];
  });
}

export const objectsIn = (root: string, place: StackPlace, endings?: readonly string[]): Objects =>
  new Map(heldIn(root, place, endings).map(({ key, urn }) => [key, urn]));

/** The objects without pending operations: for them the state is complete. */
export function verifiedIn(root: string, place: StackPlace): ReadonlySet<string> {
  const pending =
    stateIn(root, place, stateEndings, () => true)?.checkpoint?.latest?.pending_operations ?? [];
  const underWay = new Set(pending.map(({ resource }) => resource.urn));
  return new Set(heldIn(root, place).flatMap(({ key, urn }) => (underWay.has(urn) ? [] : [key])));
}

export const stateEndings: readonly string[] = ["json", "json.gz"];

/** The newest state, after an older one was restored (engine/state/restored-state.ts). */
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
    // The engine reports what is wrong with it.
    return undefined;
  }
}

const ending = ".creates";

const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);

// An interrupted first run has left a journal and no state.
const hasState = (root: string, place: StackPlace) =>
  [...stateEndings, "journal"].some((one) => existsSync(stackFile(root, place, one)));

/** Files of notes without a state beside them: their stack was renamed by `pulumi stack rename`. */
export function strayNotes(root: string, { project, stack }: StackPlace): readonly string[] {
  return namesIn(stacksFolder(root, project)).flatMap((name) => {
    if (!name.endsWith(ending)) return [];
    const other = { project, stack: name.slice(0, -ending.length) };
    return other.stack === stack || hasState(root, other) ? [] : [stackFile(root, other, "creates")];
  });
}

const allStacks = (root: string): readonly StackPlace[] =>
  namesIn(stacksFolder(root, "")).flatMap((project) =>
    stacksOf(root, project).map((stack) => ({ project, stack })),
  );

/** The objects of all stacks of the backend, as `Kind:id`. */
export const objectsOfAll = (root: string): ReadonlySet<string> =>
  new Set(allStacks(root).flatMap((place) => [...objectsIn(root, place).keys()]));

/** The objects that other stacks of the backend have in a shop. @param here the shop's mark */
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
  // Files here, such as those of Pulumi's older layout, are no projects.
  if (!statSync(folder).isDirectory()) return [];
  return namesIn(folder).flatMap((name) => /^(.+?)\.json(?:\.gz)?$/.exec(name)?.[1] ?? []);
}
