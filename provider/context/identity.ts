/**
 * Compares the run's shop with the shop that each object's state names. Addresses are compared without a request; the
 * account's id is read once, before the first write and if an address differs.
 */

import { relationOf } from "../../engine/pulumi/place.ts";
import { parseShopMark, type ShopMark, shopMarkIn, shopMarkText, shopText } from "../change/identity.ts";
import { isOnThisMachine } from "../client/connection.ts";
import {
  CancelledError,
  LimitError,
  RedirectError,
  UnauthorizedError,
  UnreachableError,
} from "../client/errors.ts";
import { chosenIn, messageIn } from "../settings/protocol.ts";
import { type Sources, stated } from "../settings/settings.ts";
import type { Values } from "../wire/codec.ts";

/** The state has an object of another shop. Nothing was read or sent. */
export class OtherShopError extends Error {
  override readonly name = "OtherShopError";
  readonly mark: ShopMark;
  readonly here: ShopMark;

  constructor(mark: ShopMark, here: ShopMark) {
    super(
      `the state belongs to another shop: ${otherShopText(mark, here, "shop:url is")} Nothing was read or changed. Set shop:url to the state's shop; ` +
        `or, to leave its objects there and to create everything in the new shop: SHOP_FORGET='${shopMarkText(mark)}' pulumi up --refresh (or pulumi-shop up --refresh)`,
    );
    this.mark = mark;
    this.here = here;
  }
}

export interface Identity {
  /**
   * Compares the shop in an object's state with this one.
   * @param mark undefined in a state of an older version, which counts as this shop
   * @returns `forgotten` if `--new-shop` leaves that shop's objects
   * @throws OtherShopError where it is another shop
   */
  compare(mark: string | undefined): Promise<"ours" | "forgotten">;
  /** The mark to store with an object; reads the account's id if it isn't known yet. */
  mark(): Promise<string | undefined>;
  /** The mark; undefined if the account isn't known yet. Sends no request. */
  known(): string | undefined;
  /** Called when an object isn't found: checks that this is its shop. @throws Error if it may be another */
  confirm(mark: string | undefined): Promise<void>;
}

/** For runs that only check arguments. */
export const noIdentity: Identity = {
  compare: async () => "ours",
  mark: async () => undefined,
  known: () => undefined,
  confirm: async () => {},
};

export interface IdentityOptions {
  readonly url: string;
  readonly sources: Sources;
  readonly ask: () => Promise<string>;
  readonly say: (line: string) => void;
}

/** Sends no request before one is needed. */
export function openIdentity({ url, sources, ask, say }: IdentityOptions): Identity {
  const fromCommand = messageIn(sources.env).identity;
  const accountFromCommand =
    fromCommand !== undefined && parseShopMark(fromCommand).url === url
      ? parseShopMark(fromCommand).account
      : undefined;
  const setting = stated(sources, "account");
  const forgets = new Set(chosenIn(sources.env, "forget"));
  const moved = new Set<string>();
  // The account in a state with this address: it counts until another one disagrees.
  let learned: string | undefined;
  let asked: Promise<string | undefined> | undefined;
  let answered: string | undefined;
  const account = () => {
    asked ??= askFor(ask).then((found) => {
      answered = found;
      refuseStated(url, setting, found);
      return found;
    });
    // After a failure the next call tries again.
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
  const known = () => answered ?? accountFromCommand ?? learned;
  const here = (): ShopMark => ({ url, account: known() ?? setting });
  const refuse = (mark: ShopMark) => {
    const now = here();
    if (relationOf(mark, now) !== "same") throw new OtherShopError(mark, now);
  };
  return {
    async compare(text) {
      if (text === undefined) return "ours";
      if (forgets.has(text)) return "forgotten";
      const mark = parseShopMark(text);
      if (relationOf(mark, here()) === "same") {
        learned ??= mark.account;
        return "ours";
      }
      // If the addresses differ, or the state disagrees with itself, the shop itself decides.
      const isOther = setting !== undefined && relationOf(mark, { url, account: setting }) === "other";
      if ((answered ?? accountFromCommand) === undefined && !isOther) await account();
      if (relationOf(mark, here()) !== "moved") refuse(mark);
      // The command has printed this if it compared before.
      else if (accountFromCommand === undefined && !moved.has(text)) {
        moved.add(text);
        say(
          `${mark.url} has the address ${url} now: it is the same account, ${mark.account}. A refresh notes the new address in the state`,
        );
      }
      return "ours";
    },
    async mark() {
      return shopMarkText({ url, account: known() ?? (await account()) });
    },
    known() {
      const found = known();
      return found === undefined ? undefined : shopMarkText({ url, account: found });
    },
    async confirm(text) {
      const mark = text === undefined ? undefined : parseShopMark(text);
      if (mark?.account === undefined) return;
      if ((await account()) === undefined)
        throw new Error(
          `it is not found at ${url}, and neither is the shop's account, ${mark.account}: this may be no shop's address. ` +
            "The state was not changed. Check shop:url, and that the application may read the account",
        );
      if (relationOf(mark, here()) === "other") refuse(mark);
    },
  };
}

/** Only a refresh may forget the objects of another shop. In a plan they would look like objects of this one. */
export async function refuseOther(
  identity: Identity,
  kind: string,
  id: string,
  known: Values,
): Promise<void> {
  const mark = shopMarkIn(known);
  if ((await identity.compare(mark)) === "ours") return;
  throw new Error(
    `${kind} ${id} is of ${mark}, which SHOP_FORGET names: the state forgets it in a refresh. Run with --refresh`,
  );
}

/** Errors that concern any request. */
const everything = [CancelledError, LimitError, RedirectError, UnauthorizedError, UnreachableError];

// A shop without an account's id is known by its address.
async function askFor(ask: () => Promise<string>): Promise<string | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (everything.some((type) => error instanceof type)) throw error;
    return undefined;
  }
}

function refuseStated(url: string, setting: string | undefined, found: string | undefined): void {
  if (setting === undefined || found === undefined || setting === found) return;
  throw new Error(
    `shop:account is ${setting}, but ${url} has the account ${found}: remove shop:account, or set shop:url to the right shop. Nothing was changed`,
  );
}

/** Names both shops, and why they may differ. */
export function otherShopText(mark: ShopMark, here: ShopMark, says = "the stack points to"): string {
  const both = `its objects belong to ${shopText(mark)}, and ${says} ${shopText(here)}.`;
  if (isOnThisMachine(mark.url) && isOnThisMachine(here.url))
    return `${both} Without --database FILE, serve starts a new shop each time.`;
  if (relationOf(mark, here) !== "unknown") return both;
  const why = mark.account === undefined ? "the state doesn't have its id" : "the shop doesn't report it";
  return `${both} It is not known whether it is the same account, because ${why}.`;
}
