/** The shop of a stack, and other shops: those of the providers that its program creates. */
import * as engine from "../../engine/index.ts";
import { isDefaultProvider, isProviderType, packageOf } from "../../engine/pulumi/urn.ts";
import { addressOf } from "../../provider/inventory/index.ts";

/** The sources of the stack's own settings. */
export const settingSources = ({ config, env }: Pick<engine.Stack, "config" | "env">) => ({
  config: (key: string) => config.values[key],
  env,
});

/**
 * Whether a resource is a provider of the program with another shop than the stack's. A provider without an address has
 * that of the environment. A secret address counts as another one.
 */
export const isOtherShop =
  (stack: Pick<engine.Stack, "config" | "env">) =>
  (state: Pick<engine.State, "urn" | "type" | "inputs">): boolean => {
    if (!isOwnProvider(state)) return false;
    const { url } = state.inputs ?? {};
    if (url !== undefined && typeof url !== "string") return true;
    const config = (key: string) => (key === "shop:url" ? url : undefined);
    return addressOf({ config, env: stack.env }) !== addressOf(settingSources(stack));
  };

/**
 * Whether a resource is a provider of the program that names its shop: a run may give it another address, and it compares its
 * objects with the shop there itself.
 */
export const namesShop = (state: Pick<engine.State, "urn" | "type" | "inputs">): boolean =>
  isOwnProvider(state) && state.inputs?.url !== undefined;

const isOwnProvider = ({ urn, type }: Pick<engine.State, "urn" | "type">): boolean =>
  isProviderType(type) && packageOf(type) === "shop" && !isDefaultProvider(engine.nameOf(urn));

/**
 * Tells which resources have their objects in another shop.
 * @param states all of the stack
 * @param isOther whether a provider is one of that shop
 */
export function elsewhereIn(
  stack: Pick<engine.Stack, "config" | "env">,
  states: readonly Pick<engine.State, "urn" | "type" | "inputs">[],
  isOther: (state: Pick<engine.State, "urn" | "type" | "inputs">) => boolean = isOtherShop(stack),
): (state: { readonly provider?: string | undefined }) => boolean {
  const others = states.filter(isOther).map(({ urn }) => urn);
  // A state names the provider with its id, a step without it.
  return ({ provider = "" }) =>
    others.some((other) => provider === other || provider.startsWith(`${other}::`));
}
