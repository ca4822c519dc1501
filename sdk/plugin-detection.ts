/** Detects whether a project uses the plugin: its Pulumi.yaml names one for `shop`. */
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import { projectFileIn } from "../engine/pulumi/backend.ts";
import { namedPlugins } from "../engine/pulumi/plugins.ts";
import { type InlineServer, inlineServer, partOf } from "../engine/pulumi/sdk-internals.ts";
import { isEmbedded } from "./sdk-patches.ts";

const known = new Map<string, boolean>();
const require = createRequire(import.meta.url);
/** Set in programs run with the Automation API, because the SDK doesn't tell the folder of their project. */
const inline = new AsyncLocalStorage<boolean>();

/** Whether resources belong to the plugin; otherwise they are dynamic, the default. */
export function usesPlugin(): boolean {
  const ofInline = inline.getStore();
  if (ofInline !== undefined) return ofInline;
  const folder = pulumi.getRootDirectory();
  const found = known.get(folder) ?? namesPlugin(folder);
  known.set(folder, found);
  return found;
}

function namesPlugin(folder: string): boolean {
  const path = projectFileIn({ exists: existsSync }, folder);
  const text = path === undefined ? "" : readFileSync(path, "utf8");
  // Most projects name no plugins and need no YAML parser.
  if (!/plugins|packages/.test(text)) return false;
  const { parse } = require("yaml") as { parse(yaml: string): unknown };
  return namedPlugins(parse(text)).has("shop");
}

function knowInlinePrograms({ LanguageServer }: InlineServer): void {
  const { prototype } = LanguageServer ?? {};
  const run = prototype?.run;
  if (prototype === undefined || typeof run !== "function") return;
  prototype.run = function (this: unknown, call, answer) {
    const folder = call.request.getInfo?.()?.getRootDirectory();
    return inline.run(folder !== undefined && namesPlugin(folder), () => run.call(this, call, answer));
  };
}

// The embedded engine loads the Automation API lazily, and its programs rarely use it.
if (!isEmbedded) knowInlinePrograms(partOf<InlineServer>(require, inlineServer));
