/** A provider for another shop than the one that the stack is configured with. */
import * as pulumi from "@pulumi/pulumi";
import { needsPlugin } from "./data-sources.ts";
import { usesPlugin } from "./plugin-detection.ts";
import type { ProviderArgs } from "./types.ts";

const secrets: readonly string[] = ["password", "token", "secret"];

/** A provider for the option `provider` of resources and data sources; needs the plugin. */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    if (!usesPlugin()) throw new Error(`new Provider(${JSON.stringify(name)}) ${needsPlugin}`);
    const props = Object.entries(args ?? {}).map(([key, value]) => [
      key,
      secrets.includes(key) ? pulumi.secret(text(value)) : text(value),
    ]);
    super("shop", name, Object.fromEntries(props), opts);
  }
}

// A provider's configuration is always sent as text.
const text = (
  value: pulumi.Input<string | number | boolean> | undefined,
): pulumi.Output<string | undefined> =>
  pulumi
    .output(value)
    .apply((known) => (known === undefined || typeof known === "string" ? known : JSON.stringify(known)));
