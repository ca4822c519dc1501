/** The template that init and pull copy: `examples/template` of the package. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const packageFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve("pulumi-shop/package.json"));

export const templateText = (path: string): string =>
  path === ".gitignore" ? ignored : readFileSync(join(packageFolder(), "examples/template", path), "utf8");

// npm doesn't pack files of this name.
const ignored =
  "node_modules/\n# The shop on this machine: serve writes its address and its password.\nPulumi.dev.yaml\n";
