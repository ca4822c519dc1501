/** The two forms of a stack's resources, with additions to its Pulumi.yaml. */
import { partOf } from "./campaign.ts";

export const plugged = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";
export const forms: readonly (readonly [form: string, project: string])[] = [
  ["dynamic resources", ""],
  ["the plugin", plugged],
];

/**
 * The forms for stories with the command: both at night, the plugin before each commit. Most tests of commands use
 * dynamic resources; test/laws checks in each run that both forms behave the same.
 */
export const storyForms = partOf(forms, forms.slice(1));
