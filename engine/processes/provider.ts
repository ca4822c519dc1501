/** What the engine asks of a provider, and what a provider answers. */
import { type WrongArgument, wrongText } from "../values/events.ts";
import { bareProperties, type Properties } from "../values/values.ts";
import type { InitFailure } from "./wire.ts";

/** A provider's verbs, as the engine needs them. */
export interface Provider {
  /** Whether it is given secrets marked as such; otherwise it is given their values. */
  readonly acceptsSecrets?: boolean;
  /** Whether it says what a create or an update would come to, where it is asked in a preview. */
  readonly previews?: boolean;
  check(urn: string, olds: Properties, news: Properties): Promise<Checked>;
  diff(urn: string, id: string, olds: Properties, asked: AskedDiff): Promise<ProviderDiff>;
  create(urn: string, inputs: Properties, more?: BesideWrite): Promise<{ id: string; outputs: Properties }>;
  /** @param outputs undefined where only the id is known */
  read(urn: string, id: string, inputs: Properties, outputs: Properties | undefined): Promise<Read>;
  update(
    urn: string,
    id: string,
    olds: Properties,
    asked: AskedDiff & BesideWrite,
  ): Promise<{ outputs: Properties }>;
  delete(urn: string, id: string, outputs: Properties, more?: BesideWrite): Promise<void>;
  /** Calls a function of the provider's; left out where it has none. */
  invoke?(token: string, args: Properties): Promise<Invoked>;
  /** Asks it to wait for nothing any more. */
  stop(): void;
  close(): void;
}

/** What a provider says of arguments. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
  readonly takes?: Takes | undefined;
  /** Outputs that an update leaves as they are, told by a provider that doesn't preview. */
  readonly stays?: readonly string[] | undefined;
}

/** An object as its provider read it. */
export interface Read {
  /** Empty where there is none. */
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Properties | undefined;
  /** Why it would not be deleted as it is, empty where it would be; undefined of a provider that doesn't tell. */
  readonly keeps?: string | undefined;
}

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** What a function of a provider's answers. */
export interface Invoked {
  readonly result: Properties;
  readonly failures: readonly CheckFailure[];
}

/** What a provider is told beside old outputs and new arguments. */
export interface BesideDiff {
  /** The arguments that the state has. */
  readonly oldInputs?: Properties | undefined;
  readonly ignoreChanges?: readonly string[];
}

/** New arguments, with what is told beside them. */
export interface AskedDiff extends BesideDiff {
  readonly news: Properties;
}

export interface BesideWrite {
  readonly timeoutMs?: number | undefined;
  /** Nothing is to be done; asked only of a provider that says what would be. */
  readonly preview?: boolean;
}

export interface ProviderDiff {
  readonly changes: "some" | "none" | "unknown";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The paths of all that differs; left out by a provider that doesn't say them. */
  readonly paths?: readonly string[] | undefined;
}

/** A create or update that left an object which is not as asked. */
export class InitError extends Error {
  readonly failure: InitFailure;
  constructor(failure: InitFailure) {
    super(failure.reasons.join("\n"));
    this.failure = failure;
  }
}

/** Arguments that the provider doesn't take; nothing was done. */
export class WrongArgumentsError extends Error {
  readonly wrong: readonly WrongArgument[];
  constructor(name: string, wrong: readonly WrongArgument[]) {
    super(wrongText(name, wrong));
    this.wrong = wrong;
  }
}

/** Something that the provider declined to do; nothing was done. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** An object that a create will take over, as the provider said when it checked the arguments. */
export interface Takes {
  readonly id: string;
  /** What of it will be changed, a sentence each. */
  readonly changes: readonly string[];
  /** The object as it is, where the provider says it. */
  readonly olds?: Properties;
}

/** A provider that may be given secrets as they are: one that doesn't accept their marks is given the values. */
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
    read: (urn, id, inputs, outputs) => provider.read(urn, id, bareProperties(inputs), maybe(outputs)),
    update: (urn, id, olds, asked) => provider.update(urn, id, bareProperties(olds), plain(asked)),
    delete: (urn, id, outputs, more) => provider.delete(urn, id, bareProperties(outputs), more),
    ...(invoke !== undefined && { invoke: (token, args) => invoke(token, bareProperties(args)) }),
  };
}
