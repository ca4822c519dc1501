/** Objects in the states on disk, and stacks of a backend. */
import { isDeepStrictEqual } from "node:util";
import type { Files } from "../../engine/common/disk.ts";
import {
  type StackPlace,
  stackFile,
  stackOfState,
  stacksFolder,
  stateEndings,
  unpacked,
} from "../../engine/pulumi/backend.ts";
import { continues, readJournal, type Standing, withEntries } from "../../engine/pulumi/journal.ts";
import { withoutMoved } from "../../engine/pulumi/pending-move.ts";
import { isSameShop, parseShopMark, shopMarkIn } from "../change/identity.ts";
import { objectKey } from "../names/owner.ts";
import { kindOfType } from "../names/types.ts";
import type { Values } from "../wire/codec.ts";

/** URNs of resources by object, `Coupon:8841`. */
export type Objects = ReadonlyMap<string, string>;

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly external?: boolean;
  readonly pendingReplacement?: boolean;
  readonly inputs?: Values;
  readonly outputs?: Values;
  readonly hideDiff?: readonly string[];
  readonly retainOnDelete?: boolean;
}

interface StateFile {
  readonly checkpoint?: {
    readonly latest?: {
      readonly pending_operations?: Standing<Resource>["pending"];
      readonly resources?: readonly Resource[];
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
  readonly hideDiff: readonly string[];
  /** Whether its delete leaves it in the shop. */
  readonly retainOnDelete: boolean;
}

/** The folder of a backend, and how its states are read. */
export interface Backend {
  /** The folder that contains .pulumi. */
  readonly root: string;
  readonly files: Files;
  /**
   * Whether a state counts with the journal of an interrupted run. A preview of the embedded engine does so; a run has
   * folded it already, and Pulumi's engine ignores it.
   */
  readonly withJournals: boolean;
}

/** The state that an older one replaced when it was restored (engine/state/restored-state.ts). */
const newerEndings = ["json.newer"];

const always = () => true;

/**
 * The objects in a stack's state; none if the file is missing or unreadable.
 * @param isMeant a test of the file's text; if false, the file isn't parsed
 */
export const heldIn = (
  backend: Backend,
  place: StackPlace,
  isMeant: (text: string) => boolean = always,
): readonly HeldObject[] => objectsOf(stateIn(backend, place, stateEndings, isMeant));

/** The objects in the newer state, after an older one was restored. */
export const heldInNewer = (backend: Backend, place: StackPlace): readonly HeldObject[] =>
  objectsOf(stateIn(backend, place, newerEndings, always));

function objectsOf({ resources }: Standing<Resource>): readonly HeldObject[] {
  return resources.flatMap((resource) => {
    const {
      urn,
      type,
      id,
      external,
      pendingReplacement,
      inputs = {},
      outputs = {},
      hideDiff = [],
      retainOnDelete = false,
    } = resource;
    const kind = kindOfType(type);
    // External resources are managed elsewhere; an object that is pending replacement is deleted.
    const isNone = external === true || pendingReplacement === true;
    return kind === undefined || id === undefined || id === "" || isNone
      ? []
      : [
          {
            key: objectKey(kind, id),
            kind,
            id,
            urn,
            shop: shopMarkIn(outputs),
            inputs,
            outputs,
            hideDiff,
            retainOnDelete,
          },
        ];
  });
}

export const byObject = (held: readonly HeldObject[]): Objects =>
  new Map(held.map(({ key, urn }) => [key, urn]));

/**
 * The objects that the state file has for certain: no operation on them is pending. Those of the journal are pending too,
 * because the file has none of its results.
 */
export function verifiedIn(backend: Backend, place: StackPlace): ReadonlySet<string> {
  const whole = stateIn({ ...backend, withJournals: true }, place, stateEndings, always);
  const underWay = new Set(whole.pending.map(({ resource }) => resource.urn));
  const now = new Map(objectsOf(whole).map((one) => [one.key, one]));
  return new Set(
    heldIn({ ...backend, withJournals: false }, place).flatMap((one) => {
      const { urn, outputs } = now.get(one.key) ?? one;
      return underWay.has(urn) || !isDeepStrictEqual(outputs, one.outputs) ? [] : [one.key];
    }),
  );
}

const none: Standing<Resource> = { resources: [], pending: [] };

function stateIn(
  { root, files, withJournals }: Backend,
  place: StackPlace,
  endings: readonly string[],
  isMeant: (text: string) => boolean,
): Standing<Resource> {
  const path = endings.map((ending) => stackFile(root, place, ending)).find((one) => files.exists(one));
  try {
    const bytes = path === undefined ? undefined : files.read(path);
    const left =
      withJournals && endings === stateEndings
        ? readJournal<Resource>(files, stackFile(root, place, "journal"))
        : undefined;
    const isLeft = left !== undefined && continues(left, bytes) === true;
    const text = bytes === undefined ? "" : unpacked(bytes).toString();
    if (!isLeft && !isMeant(text)) return none;
    const { checkpoint }: StateFile = text === "" ? {} : JSON.parse(text);
    const { resources: saved = [], pending_operations: pending = [] } = checkpoint?.latest ?? {};
    const resources = path === undefined ? saved : withoutMoved(files, path, saved);
    return isLeft ? withEntries({ resources, pending }, left.entries) : { resources, pending };
  } catch {
    // The engine reports what is wrong with it.
    return none;
  }
}

const ending = ".creates";

const namesIn = (files: Files, path: string) => (files.exists(path) ? files.list(path) : []);

// An interrupted first run has left a journal and no state.
const hasState = ({ root, files }: Backend, place: StackPlace) =>
  [...stateEndings, "journal"].some((one) => files.exists(stackFile(root, place, one)));

/** Files of notes without a state beside them: their stack was renamed by `pulumi stack rename`. */
export function strayNotes(backend: Backend, { project, stack }: StackPlace): readonly string[] {
  const { root, files } = backend;
  return namesIn(files, stacksFolder(root, project)).flatMap((name) => {
    if (!name.endsWith(ending)) return [];
    const other = { project, stack: name.slice(0, -ending.length) };
    return other.stack === stack || hasState(backend, other) ? [] : [stackFile(root, other, "creates")];
  });
}

const allStacks = ({ root, files }: Backend): readonly StackPlace[] =>
  namesIn(files, stacksFolder(root, "")).flatMap((project) => {
    const folder = stacksFolder(root, project);
    // Files here, such as those of Pulumi's older layout, are no projects.
    const names = files.isFolder(folder) ? files.list(folder) : [];
    const stacks = names.flatMap((name) => stackOfState(name) ?? []);
    return stacks.map((stack) => ({ project, stack }));
  });

export const objectsOfAll = (backend: Backend): ReadonlySet<string> =>
  new Set(allStacks(backend).flatMap((place) => heldIn(backend, place).map(({ key }) => key)));

export const otherStacks = (backend: Backend, own: StackPlace): readonly StackPlace[] =>
  allStacks(backend).filter(({ project, stack }) => project !== own.project || stack !== own.stack);

/** The objects that other stacks of the backend have in a shop. @param here the shop's mark */
export function heldElsewhere(backend: Backend, own: StackPlace, here: string): readonly HeldObject[] {
  const mark = parseShopMark(here);
  const names = (text: string) =>
    text.includes(mark.url) || (mark.account !== undefined && text.includes(`#${mark.account}"`));
  return otherStacks(backend, own)
    .flatMap((place) => heldIn(backend, place, names))
    .filter(({ shop }) => shop !== undefined && isSameShop(parseShopMark(shop), mark));
}
