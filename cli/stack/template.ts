/** The project that init writes, and pull in part: the package's folder `examples/template`. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const packageFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve("pulumi-shop/package.json"));

export const templateText = (path: string): string =>
  path === ".gitignore" ? ignored : readFileSync(join(packageFolder(), "examples/template", path), "utf8");

// npm leaves files of this name out of a package.
const ignored =
  "node_modules/\n# The shop on this machine: serve writes its address and its password.\nPulumi.dev.yaml\n";
