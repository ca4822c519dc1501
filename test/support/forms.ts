/** The two forms that a stack's resources may have, each with what its project's Pulumi.yaml says more. */
import { partOf } from "./campaign.ts";

export const plugged = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";
export const forms: readonly (readonly [form: string, project: string])[] = [
  ["dynamic resources", ""],
  ["the plugin", plugged],
];

/**
 * For stories at the command: both forms at night, the plugin before each commit. Most commands of the tests run dynamic
 * resources; that both forms do the same test/laws holds, in each run.
 */
export const storyForms = partOf(forms, forms.slice(1));
