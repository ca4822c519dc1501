/** Whether a project has its shop run by the plugin: Pulumi.yaml names one for `shop`. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { namedPlugins } from "../pulumi/plugins.ts";

const known = new Map<string, boolean>();

/** True where resources are the plugin's; false where they are dynamic ones, which is what they are unless a project says otherwise. */
export function isNative(): boolean {
  const folder = pulumi.getRootDirectory();
  const found = known.get(folder) ?? namesPlugin(folder);
  known.set(folder, found);
  return found;
}

function namesPlugin(folder: string): boolean {
  const path = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  const text = path === undefined ? "" : readFileSync(path, "utf8");
  // Most projects name no plugins, and load no parser.
  if (!/plugins|packages/.test(text)) return false;
  const { parse } = createRequire(import.meta.url)("yaml") as { parse(yaml: string): unknown };
  return namedPlugins(parse(text)).has("shop");
}
