/** The goals that a program registers. */
import type { PluginSource } from "./plugin-source.ts";
import type { Properties, Value } from "./values.ts";

export interface Position {
  readonly uri: string;
  readonly line: number;
}

/** An existing resource that the program reads. */
export interface Reading {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent: string;
  readonly provider: string;
  /** The plugin of a provider, or of a resource without an explicit provider. */
  readonly source: PluginSource;
  readonly inputs: Properties;
  readonly dependencies: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  /** Where the program creates it, if the SDK reports that. */
  readonly position?: Position | undefined;
}

/** The desired state of a resource (pulumirpc.RegisterResourceRequest). */
export interface Goal extends Omit<Reading, "id"> {
  readonly custom: boolean;
  readonly remote: boolean;
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  /** Properties whose differences aren't shown. */
  readonly hideDiffs: readonly string[];
  /** Replaces the resource when its value changes. */
  readonly replacementTrigger: Value | undefined;
  /** Names of options that this engine doesn't support. */
  readonly unsupported: readonly string[];
  readonly importId: string;
  readonly deletedWith: string;
  /** URNs of resources whose replacement also replaces this one. */
  readonly replaceWith: readonly string[];
  readonly timeouts: { readonly create?: string; readonly update?: string; readonly delete?: string };
  readonly aliasUrns: readonly string[];
  readonly aliases: readonly Alias[];
}

type Inherited = Pick<Goal, "deletedWith" | "protect" | "retainOnDelete">;

/** A resource inherits these options from its parent (pkg/resource/deploy/source_eval.go, inheritFromParent). */
export function inherited<Asked extends Inherited>(asked: Asked, parent: Inherited | undefined): Asked {
  if (parent === undefined) return asked;
  return {
    ...asked,
    deletedWith: asked.deletedWith || parent.deletedWith,
    protect: asked.protect ?? parent.protect,
    retainOnDelete: asked.retainOnDelete ?? parent.retainOnDelete,
  };
}

export interface Alias {
  readonly urn?: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly stack?: string | undefined;
  readonly project?: string | undefined;
  readonly parent?: string | undefined;
  readonly noParent?: boolean;
}

export interface Call {
  readonly token: string;
  /** The reference of the provider; empty for the package's default one. */
  readonly provider: string;
  readonly source: PluginSource;
  readonly args: Properties;
}

export interface Registered {
  readonly urn: string;
  readonly id: string | undefined;
  readonly properties: Properties;
}
