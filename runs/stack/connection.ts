/** Checks the shop that a stack is connected to. */
import { basename, join } from "node:path";
import { configFile, type Stack, type State } from "../../engine/index.ts";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import {
  addressOf,
  ConnectionError,
  chosenEnv,
  chosenIn,
  heldElsewhere,
  isSameShop,
  messageEnv,
  OtherShopError,
  openIdentity,
  otherShopText,
  parseShopMark,
  resolveConnection,
  settingNames,
  shopMarkIn,
  shopText,
} from "../../provider/inventory/index.ts";
import { RunError } from "./errors.ts";
import { readWithoutSecrets } from "./managed-objects.ts";
import { elsewhereIn, isOtherShop, namesShop, settingSources } from "./other-shops.ts";
import { type Ports, realPorts } from "./ports.ts";

/** @throws RunError that lists each missing setting and how to set it */
export function checkConnection(stack: Stack): void {
  const { name } = stack;
  const howToSet = (key: string, isSecret: boolean) =>
    isSecret
      ? `npx pulumi-shop config set ${key} --secret --stack ${name} (asks for it)`
      : `npx pulumi-shop config set ${key} ${examples[key] ?? "..."} --stack ${name}`;
  try {
    resolveConnection({ ...settingSources(stack), howToSet });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const lines = [...misplaced(stack), ...error.wrong].map((line) => `\n  - ${line}`).join("");
    throw new RunError(
      "connection",
      `the stack ${name} has no complete connection to a shop:${lines}\n${localShopHint(name)}`,
      { cause: error },
    );
  }
}

/** For a key of the program that has a setting's name; a project named "shop" has its keys under `shop:`. */
export const settingMeant = (key: string, project: string): string | undefined =>
  project !== "shop" && (settingNames as readonly string[]).includes(key)
    ? `${key} is a key of the program; write shop:${key}`
    : undefined;

/**
 * The stack's lost file, and keys of the program that may be meant for the provider: below `shop:`, or without that
 * prefix.
 */
function misplaced({ name, project, files, paths, config: { values } }: Stack): readonly string[] {
  const file = configFile(project, name);
  const isLost = files.exists(paths.state) && !files.exists(join(project.stackFolder, file));
  const own = (key: string) => values[`${project.name}:${key}`];
  const bare = settingNames.flatMap((key) =>
    own(key) !== undefined && values[`shop:${key}`] === undefined
      ? (settingMeant(key, project.name) ?? [])
      : [],
  );
  return [
    ...(isLost ? [`there is no ${file}; if the stack had one, restore it`] : []),
    ...(own("shop")?.startsWith("{")
      ? [`${file}: the keys below shop: aren't read; write each in full, such as shop:url`]
      : []),
    ...bare.map((meant) => `${file}: ${meant}`),
  ];
}

const localShopHint = (name: string): string =>
  name === "dev"
    ? "Or start a shop on this machine: npx pulumi-shop serve --stack dev"
    : "Or try it in a shop on this machine: npx pulumi-shop serve --stack dev --create, then this command with --stack dev";

const examples: Readonly<Record<string, string>> = {
  "shop:url": "https://my-shop.example",
  "shop:applicationId": "my-app",
};

export interface ShopCheckOptions {
  /** Whether to forget objects of another shop instead of failing. */
  readonly newShop?: boolean | undefined;
  /** Prints a line for the user, for example that the shop has a new address. */
  readonly say: (line: string) => void;
  readonly provider?: Ports["provider"];
}

/**
 * Compares the shop of each object in the state with the stack's shop. Sends a request only if an address
 * differs.
 * @throws RunError `shop` for another shop
 */
export async function checkShop(
  stack: Stack,
  { newShop = false, say, provider = realPorts.provider }: ShopCheckOptions,
) {
  const sources = settingSources(stack);
  const marks = Map.groupBy(marksIn(stack), (mark) => mark);
  const url = addressOf(sources);
  // Without an address there is no shop to compare with: the connection's check names the missing setting.
  if (marks.size === 0 || url === "") return { env: {}, forgotten: 0 };
  const identity = openIdentity({
    url,
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
    /** The number of objects of other shops, which the state forgets. */
    forgotten,
  };
}

/** Where the state of a new stack is kept, for colleagues who work on the same shop. */
export const stateLocationText = ({ name, paths }: Stack): string =>
  `The state of ${name} is in ${paths.state}. Colleagues who work on this shop need this file too: see "Work in a team" in the documentation.`;

/**
 * A stack without a state, whose backend has this shop's objects in a stack of the same name: somebody has renamed the project.
 */
export function renamedProjectText(stack: Stack): string | undefined {
  if (stack.exists) return undefined;
  const { name, files, paths, project } = stack;
  const backend = { root: paths.root, files, withJournals: false };
  const held = heldElsewhere(
    backend,
    { project: project.name, stack: name },
    addressOf(settingSources(stack)),
  );
  const from = held.map(({ urn }) => parseUrn(urn)).find((one) => one.stack === name)?.project;
  return (
    from &&
    `${project.name}/${name} has no state yet, and the stack ${from}/${name} has objects of this shop. If ${from} is the old name of this project, ` +
      `write name: ${from} in ${basename(project.path)} again, or run pulumi stack rename organization/${project.name}/${name} --stack organization/${from}/${name}`
  );
}

/** The objects of another shop that a refresh removes from the state, as `URN id`. */
export function forgottenObjects(stack: Stack): ReadonlySet<string> {
  const marks = new Set(chosenIn(stack.env, "forget"));
  if (marks.size === 0) return marks;
  return new Set(
    readWithoutSecrets(stack).flatMap(({ urn, id, outputs }) =>
      marks.has(shopMarkIn(outputs ?? {}) ?? "") ? [`${urn} ${id}`] : [],
    ),
  );
}

/** The marks of a stack's shop that its objects have. @param resources default all */
function marksIn(stack: Stack, resources?: readonly State[]): readonly string[] {
  const all = readWithoutSecrets(stack);
  const isElsewhere = elsewhereIn(stack, all, (one) => namesShop(one) || isOtherShop(stack)(one));
  return (resources ?? all).flatMap((state) => {
    const mark = shopMarkIn(state.outputs ?? {});
    return mark === undefined || state.external || isElsewhere(state) ? [] : [mark];
  });
}

/** Why resources can't move to another stack's state: the stacks belong to different shops. Undefined if they can. */
export function shopMismatch(
  { from, to: target }: { readonly from: Stack; readonly to: Stack },
  leaving: readonly State[],
): string | undefined {
  const sources = settingSources(target);
  const [own] = marksIn(target).map(parseShopMark);
  const here = own ?? { url: addressOf(sources), account: undefined };
  const other = marksIn(from, leaving)
    .map(parseShopMark)
    .find((mark) => !isSameShop(mark, here));
  if (other === undefined) return undefined;
  return (
    `the resources belong to the shop ${shopText(other)}, but ${target.name} uses the shop ${shopText(here)}: objects can't move to ` +
    "another shop. Nothing was changed"
  );
}

function otherShopRefusal({ name }: Stack, { mark, here }: OtherShopError, count: number): RunError {
  // Another shop at the same address: there is no old shop to go back to.
  const back =
    mark.url === here.url
      ? ""
      : `To go back to the state's shop: npx pulumi-shop config set shop:url ${mark.url} --stack ${name}\n`;
  const [objects, stay] = count === 1 ? ["1 object", "stays"] : [`${count} objects`, "stay"];
  return new RunError(
    "shop",
    `the state of ${name} belongs to another shop: ${otherShopText(mark, here)} Nothing was read or changed.\n` +
      back +
      `To continue with the new shop: npx pulumi-shop up --new-shop --stack ${name}. The state forgets ${objects}, which ${stay} ` +
      "in the old shop. A copy of the state is kept, and the new shop gets everything in the program",
  );
}
