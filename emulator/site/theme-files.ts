/** The files of a theme, as its pages use them. */

import { blobPath } from "../routes/assets.ts";
import type { ShopOptions } from "../shop-state.ts";
import type { Store } from "../store.ts";

export type ThemeFiles = ReturnType<typeof openFiles>;

/** Possible sources of a name: styles are compiled, and may be templates. */
const sourcesOf = (name: string): readonly string[] => {
  const plain = [name, name.replace(/\.css$/, ".scss"), name.replace(/\.css$/, ".less")];
  return [...new Set([...plain, ...plain.map((one) => `${one}.liquid`)])];
};

/** @param readAsset provides the body of a file that exists without one */
export function openFiles(store: Store, theme: number, readAsset: ShopOptions["readAsset"]) {
  const files = new Map(
    store.list("asset", { owner: theme }).map((file) => [`${file.type}/${file.name}`, file] as const),
  );
  const find = (type: string, name: string) => files.get(`${type}/${name}`);
  /** Undefined if the file doesn't exist, or its content is unknown. */
  const body = async (type: string, name: string) => {
    const file = find(type, name);
    if (file === undefined) return undefined;
    if (file.content !== null) return String(file.content);
    return store.blob(blobPath(file))?.bytes ?? readAsset?.(file);
  };
  return {
    /** The file for a media name: itself, or the source that the platform compiles it from. */
    media: (name: string) => sourcesOf(name).flatMap((one) => find("Asset::Media", one) ?? [])[0],
    body,
    has: (type: string, name: string) => find(type, name) !== undefined,
    async text(type: string, name: string) {
      const found = await body(type, name);
      return found instanceof Uint8Array ? Buffer.from(found).toString() : found;
    },
  };
}
