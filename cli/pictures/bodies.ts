/** What is in a file of a theme, before the plan and after it: from the project where it is, else from the shop. */
import {
  fileFact,
  fileIn,
  hashIn,
  hidden,
  readBody,
  shownText,
  type Transport,
  textIn,
  type Values,
  withBody,
} from "../../provider/inventory/index.ts";
import { askedBody } from "../compare/sides.ts";
import type { Planned } from "./objects.ts";
import { unknown } from "./rows.ts";

export type ReadBody = () => Promise<string | Uint8Array | undefined>;

export interface BodySources {
  /** Undefined where nothing is read: what only the shop has is empty. */
  readonly transport: Transport | undefined;
  readonly url: string;
  readonly folder: string;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= work();
    return found;
  };
}

/** Reads a file out of the shop. @param listed it, as a list shows it */
export const bodyThere = (
  definition: Planned["definition"],
  listed: Values,
  sources: BodySources,
): ReadBody =>
  once(async () => {
    const { transport } = sources;
    if (transport === undefined) return undefined;
    const { seen, bytes } = await withBody(definition, { ...sources, transport }, listed);
    return shownText(seen) ?? (Buffer.isBuffer(bytes) ? bytes : undefined);
  });

/** What is in a file on both sides. */
export function bodiesOf(
  { definition, before: olds, asked }: Planned,
  id: number,
  sources: BodySources,
): { readonly before: ReadBody; readonly after: ReadBody } {
  const { folder } = sources;
  const there = bodyThere(definition, { ...olds, id }, sources);
  const before = once(async () => {
    if (olds === undefined) return undefined;
    // Beside a secret the state shows only what the arguments name.
    if (hashIn(olds) === hidden || textIn(olds) === hidden) return hidden;
    return (await unchangedFile(olds, folder)) ?? there();
  });
  if (asked === undefined) return { before, after: before };
  const after = once(async () => {
    const text = textIn(asked);
    if (text === unknown) return before();
    return (await askedBody(asked, folder).catch(() => undefined)) ?? before();
  });
  return { before, after };
}

/** The file of the project that the state knows; undefined where it is another one by now. */
async function unchangedFile(olds: Values, folder: string): Promise<string | Uint8Array | undefined> {
  const file = fileIn(olds);
  if (file?.path === undefined) return undefined;
  try {
    const fact = await fileFact(file.path, folder);
    if (fact.sha256 !== file.sha256) return undefined;
    const { text, bytes } = await readBody(file.path, folder);
    return text ?? bytes;
  } catch {
    // It was moved, or removed: the shop has what it was.
    return undefined;
  }
}
