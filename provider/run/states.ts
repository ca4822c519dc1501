/** Objects that states on the disk have: an object that is in a state is nobody else's, and no create of it is open. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type StackPlace, stackFile } from "../../engine/pulumi/backend.ts";
import { kindOfType } from "../names/types.ts";
import { shopMarkIn } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { objectKey } from "./context.ts";

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
