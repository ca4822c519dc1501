/** Reads and writes the files of a theme in the shop. */
import { type Client, ValidationError } from "../../provider/client/index.ts";
import { bodyAsArgument, sourceIn, type ThemeFile, textIn } from "../../provider/inventory/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { type Content, contentOf, keyOf, type LocalFile } from "./folder.ts";

export interface Row extends Pick<ThemeFile, "type" | "name"> {
  readonly id: number;
  /** In bytes; undefined after a write whose response didn't say it. */
  readonly size: number | undefined;
}

export type Rows = ReadonlyMap<string, Row>;

export type ShopTheme = ReturnType<typeof openShopTheme>;

/** Whether the shop rejected the file, and would again. */
export const isRefusal = (error: unknown): boolean => error instanceof ValidationError;

function unlessGone(error: Error): undefined {
  if (error.name !== "NotFoundError") throw error;
}

interface Listed {
  readonly id?: number | undefined;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly fileSize?: number | undefined;
}

export function openShopTheme({ assets, themes, transport }: Client, themeId: number, url: string) {
  const rowOf = ({ id, type, name, fileSize }: Listed): Row | undefined =>
    id === undefined || type === undefined || name === undefined
      ? undefined
      : { id, type: type as Row["type"], name, size: fileSize };
  const bodyOf = ({ text, bytes }: Content) =>
    text === undefined ? { attachment: bytes.toString("base64") } : { content: text };
  return {
    id: themeId,
    async list() {
      const rows = new Map<string, Row>();
      for await (const one of assets.every({ themeId })) {
        const row = rowOf(one);
        if (row !== undefined) rows.set(keyOf(row), row);
      }
      return rows;
    },
    /** @returns undefined if the file was deleted */
    async read({ id }: Row) {
      const seen = await assets.get({ themeId, id }).catch(unlessGone);
      if (seen === undefined) return undefined;
      const stated = bodyAsArgument(definitions.assets, url, seen);
      const address = sourceIn(stated);
      return contentOf(
        typeof address === "string" ? await transport.download(address) : Buffer.from(textIn(stated) ?? ""),
      );
    },
    async create(file: LocalFile) {
      const { type, name } = file;
      const made = await assets.create({ themeId, type, name, ...bodyOf(file) });
      return rowOf(made) as Row;
    },
    async write(row: Row, file: LocalFile) {
      const kept = await assets.edit({ themeId, id: row.id, ...bodyOf(file) });
      return { ...row, size: kept?.fileSize };
    },
    async rename(row: Row, name: string) {
      await assets.rename({ themeId, id: row.id, name });
      return { ...row, name };
    },
    /** Succeeds if the file is deleted already. */
    async remove({ id }: Row) {
      await assets.remove({ themeId, id }).catch(unlessGone);
    },
    /** Compile errors of the theme; undefined without errors. */
    async errors() {
      const own = (await themes.list()).find(({ id }) => id === themeId);
      return own?.errorsText?.trim() || undefined;
    },
  };
}
