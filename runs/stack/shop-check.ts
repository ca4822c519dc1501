/** Whether the objects of a stack's state are of the stack's shop: asked before a command reads or writes an object. */
import type { Stack, State } from "../../engine/index.ts";
import {
  addressOf,
  chosenEnv,
  chosenIn,
  isSameShop,
  markIn,
  markOf,
  messageEnv,
  OtherShopError,
  openIdentity,
  otherShopText,
  shopText,
} from "../../provider/inventory/index.ts";
import { settingSources } from "./connection.ts";
import { RunError } from "./errors.ts";
import { readWithoutSecrets } from "./managed-objects.ts";
import { type Ports, realPorts } from "./ports.ts";

/** What a run is told of its shop. */
export interface ShopCheck {
  readonly env: Readonly<Record<string, string>>;
  /** Objects of other shops, which the state forgets. */
  readonly forgotten: number;
}

export interface ShopCheckOptions {
  /** Whether objects of another shop are forgotten on purpose. */
  readonly newShop?: boolean | undefined;
  /** Takes lines for the person: that a shop has another address now, for instance. */
  readonly say: (line: string) => void;
  readonly provider?: Ports["provider"];
}

/**
 * Compares the shops that a state's objects are of with the stack's. A request is sent only where an address differs.
 * @throws RunError `shop` where it is another one, with the ways on
 */
export async function checkShop(
  stack: Stack,
  { newShop = false, say, provider = realPorts.provider }: ShopCheckOptions,
): Promise<ShopCheck> {
  const sources = settingSources(stack);
  const marks = Map.groupBy(marksIn(readWithoutSecrets(stack)), (mark) => mark);
  if (marks.size === 0) return { env: {}, forgotten: 0 };
  const identity = openIdentity({
    url: addressOf(sources),
    sources,
    ask: async () => (await provider()).accountAt(sources, say),
    say,
  });
  const forget: string[] = [];
  let forgotten = 0;
  for (const [mark, objects] of marks) {
    try {
      await identity.compare(mark);
    } catch (error) {
      if (!(error instanceof OtherShopError)) throw error;
      if (!newShop) throw otherShopRefusal(stack, error, objects.length);
      forget.push(mark);
      forgotten += objects.length;
    }
  }
  const all = [...(chosenIn(stack.env, "forget") ?? []), ...forget];
  return {
    env: {
      ...messageEnv(stack.env, { identity: identity.known() }),
      ...chosenEnv({ forget: all.length === 0 ? undefined : all }),
    },
    forgotten,
  };
}

/** Where the state of a stack that is new will be, for those who share the shop. */
export const stateLocationText = ({ name, paths }: Stack): string =>
  `The state of ${name} is kept in ${paths.state}. Whoever else works on this shop needs this file too: see "Work in a team" in the documentation.`;

/** What a refresh of this stack forgets because it is of another shop: a resource's URN and id. */
export function forgottenObjects(stack: Stack): ReadonlySet<string> {
  const marks = new Set(chosenIn(stack.env, "forget"));
  if (marks.size === 0) return marks;
  return new Set(
    readWithoutSecrets(stack).flatMap(({ urn, id, outputs }) =>
      marks.has(markIn(outputs ?? {}) ?? "") ? [`${urn} ${id}`] : [],
    ),
  );
}

/** The marks of what is managed; what has a provider of its own has a shop of its own, which only that one knows. */
function marksIn(resources: readonly State[]): readonly string[] {
  return resources.flatMap(({ outputs, provider, external }) => {
    const [, , , name = "default"] = provider?.split("::") ?? [];
    const mark = markIn(outputs ?? {});
    return mark === undefined || external || !name.startsWith("default") ? [] : [mark];
  });
}

/** Why resources can't go to the state of another stack, whose shop isn't theirs; undefined where they can. */
export function shopMismatch(target: Stack, leaving: readonly State[]): string | undefined {
  const sources = settingSources(target);
  const [own] = marksIn(readWithoutSecrets(target)).map(markOf);
  const here = own ?? { url: addressOf(sources), account: undefined };
  const other = marksIn(leaving)
    .map(markOf)
    .find((mark) => !isSameShop(mark, here));
  if (other === undefined) return undefined;
  return (
    `they are in the shop ${shopText(other)}, and the shop of ${target.name} is ${shopText(here)}: an object can't go to ` +
    "another shop. Nothing was changed"
  );
}

function otherShopRefusal({ name }: Stack, { mark, here }: OtherShopError, count: number): RunError {
  // Another shop at the same address: the old one is nowhere to go back to.
  const back =
    mark.url === here.url
      ? ""
      : `To go back to the state's shop: npx pulumi-shop config set shop:url ${mark.url} --stack ${name}\n`;
  const [objects, stay] = count === 1 ? ["1 object", "stays"] : [`${count} objects`, "stay"];
  return new RunError(
    "shop",
    `the state of ${name} is of another shop: ${otherShopText(mark, here)} Nothing was read or changed.\n` +
      back +
      `To go on in the new shop: npx pulumi-shop up --new-shop --stack ${name}. The state forgets ${objects}, which ${stay} ` +
      "in the old shop, a copy of the state is kept, and the new shop gets all that the program asks for",
  );
}
