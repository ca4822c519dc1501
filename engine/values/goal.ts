/** What the program asks for. */
import type { PluginSource } from "./plugin-source.ts";
import type { Properties, Value } from "./values.ts";

export interface Position {
  readonly uri: string;
  readonly line: number;
}

/** A resource as it shall be (pulumirpc.RegisterResourceRequest). */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly remote: boolean;
  readonly parent: string;
  readonly provider: string;
  /** The plugin of a resource that has no provider of the program's own, or of a provider. */
  readonly source: PluginSource;
  readonly inputs: Properties;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  /** Properties whose differences aren't shown. */
  readonly hideDiffs: readonly string[];
  /** A value that replaces the resource when it is another one. */
  readonly replacementTrigger: Value | undefined;
  /** Options that this engine doesn't support, by their names. */
  readonly unsupported: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly importId: string;
  readonly deletedWith: string;
  /** Urns of those whose replacement replaces the resource, too. */
  readonly replaceWith: readonly string[];
  readonly timeouts: { readonly create?: string; readonly update?: string; readonly delete?: string };
  readonly aliasUrns: readonly string[];
  readonly aliases: readonly Alias[];
  /** Where the program makes it, if its SDK says it. */
  readonly position?: Position | undefined;
}

type Inherited = Pick<Goal, "deletedWith" | "protect" | "retainOnDelete">;

/** What a resource doesn't say of itself its parent says (pkg/resource/deploy/source_eval.go, inheritFromParent). */
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

/** A resource that is there and only read. */
export interface Reading {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent: string;
  readonly inputs: Properties;
  readonly dependencies: readonly string[];
  readonly provider: string;
  readonly source: PluginSource;
  readonly additionalSecretOutputs: readonly string[];
  readonly position?: Position | undefined;
}

/** A function of a provider's that the program calls. */
export interface Call {
  readonly token: string;
  /** The reference of the provider; the package's default one where it is empty. */
  readonly provider: string;
  readonly source: PluginSource;
  readonly args: Properties;
}

export interface Registered {
  readonly urn: string;
  readonly id: string | undefined;
  readonly properties: Properties;
}
