/** The operations that the engine calls on a provider, and their results. */
import { type WrongArgument, wrongText } from "../values/events.ts";
import { bareProperties, type Properties } from "../values/values.ts";
import type { InitFailure } from "./wire.ts";

export interface Provider {
  /** Whether it accepts marked secrets; otherwise it gets plain values. */
  readonly acceptsSecrets?: boolean;
  /** Whether it computes the result of a create or update in a preview. */
  readonly previews?: boolean;
  check(urn: string, olds: Properties, news: Properties): Promise<Checked>;
  diff(urn: string, id: string, olds: Properties, asked: AskedDiff): Promise<ProviderDiff>;
  create(urn: string, inputs: Properties, more?: BesideWrite): Promise<{ id: string; outputs: Properties }>;
  /**
   * @param inputs undefined to import the object
   * @param outputs undefined if only the id is known
   */
  read(
    urn: string,
    id: string,
    inputs: Properties | undefined,
    outputs: Properties | undefined,
  ): Promise<Read>;
  update(
    urn: string,
    id: string,
    olds: Properties,
    asked: AskedDiff & BesideWrite,
  ): Promise<{ outputs: Properties }>;
  delete(urn: string, id: string, outputs: Properties, more?: BesideWrite): Promise<void>;
  /** Calls a provider function; undefined if it has none. */
  invoke?(token: string, args: Properties): Promise<Invoked>;
  /** Cancels all waiting. */
  stop(): void;
  close(): void;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
  readonly takes?: Adoption | undefined;
}

export interface Read {
  /** Empty if the object doesn't exist. */
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Properties | undefined;
  /**
   * Why the provider would refuse to delete the object as it is, empty if it would not; undefined if the provider
   * doesn't say.
   */
  readonly keeps?: string | undefined;
  /** How many requests the read takes, if the provider says. */
  readonly requests?: number | undefined;
}

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface Invoked {
  readonly result: Properties;
  readonly failures: readonly CheckFailure[];
}

/** Further arguments of a diff or an update. */
export interface BesideDiff {
  readonly oldInputs?: Properties | undefined;
  readonly ignoreChanges?: readonly string[];
}

/** The new inputs, with further arguments. */
export interface AskedDiff extends BesideDiff {
  readonly news: Properties;
}

export interface BesideWrite {
  readonly timeoutMs?: number | undefined;
  /** Whether to compute the result only; needs `previews`. */
  readonly preview?: boolean;
}

export interface ProviderDiff {
  readonly changes: "some" | "none" | "unknown";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The paths of all differences, if the provider names them. */
  readonly paths?: readonly string[] | undefined;
}

/** A create or update that left an incomplete object. */
export class InitError extends Error {
  readonly failure: InitFailure;
  constructor(failure: InitFailure) {
    super(failure.reasons.join("\n"));
    this.failure = failure;
  }
}

/** The provider found inputs invalid; nothing was done. */
export class WrongArgumentsError extends Error {
  readonly wrong: readonly WrongArgument[];
  constructor(name: string, wrong: readonly WrongArgument[]) {
    super(wrongText(name, wrong));
    this.wrong = wrong;
  }
}

/** The provider refused an operation; nothing was done. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** The provider's process ended before it answered: what it had sent may have arrived. */
export class LostProviderError extends Error {
  override readonly name = "LostProviderError";
}

/** An object that a create will adopt, as the provider's check announced it. */
export interface Adoption {
  readonly id: string;
  /** The inputs with which the resource would have the object as it is. */
  readonly inputs: Properties;
  /** The object's present outputs, if the provider returned them. */
  readonly olds?: Properties;
}

/** Wraps a provider so that it gets plain values unless it accepts marked secrets. */
export function withPlainSecrets(provider: Provider): Provider {
  if (provider.acceptsSecrets === true) return provider;
  const maybe = (values: Properties | undefined) => values && bareProperties(values);
  const plain = <Asked extends AskedDiff>(asked: Asked) => ({
    ...asked,
    news: bareProperties(asked.news),
    oldInputs: maybe(asked.oldInputs),
  });
  const { invoke } = provider;
  return {
    ...provider,
    check: (urn, olds, news) => provider.check(urn, bareProperties(olds), bareProperties(news)),
    diff: (urn, id, olds, asked) => provider.diff(urn, id, bareProperties(olds), plain(asked)),
    create: (urn, inputs, more) => provider.create(urn, bareProperties(inputs), more),
    read: (urn, id, inputs, outputs) => provider.read(urn, id, maybe(inputs), maybe(outputs)),
    update: (urn, id, olds, asked) => provider.update(urn, id, bareProperties(olds), plain(asked)),
    delete: (urn, id, outputs, more) => provider.delete(urn, id, bareProperties(outputs), more),
    ...(invoke !== undefined && { invoke: (token, args) => invoke(token, bareProperties(args)) }),
  };
}
