/**
 * The package's names are its sources in tests, as tsconfig.json tells the compiler; the command-line tests run what
 * the build made of them. Preloaded by Node, which loads the sources itself: Vite would first transform every file.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const root = new URL("../../", import.meta.url);
const { compilerOptions } = JSON.parse(readFileSync(new URL("tsconfig.json", root), "utf8")) as {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly [string]>> };
};
const sources = new Map(
  Object.entries(compilerOptions.paths).map(([name, [path]]) => [name, new URL(path, root).href]),
);

registerHooks({
  resolve: (specifier, context, next) =>
    next((context.conditions?.includes("import") && sources.get(specifier)) || specifier, context),
});
