/** A shop for one test, seen by our client, by a foreign client, and directly. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ServeOptions, serveShop } from "../../emulator/index.ts";
import { type Client, openClient } from "../../provider/client/index.ts";
import { basic } from "../../provider/client/transport.ts";
import { openNotes } from "../../provider/context/create-notes.ts";
import type { Guard } from "../../provider/context/limits.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { openReads } from "../../provider/context/reads.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { type Lifecycle, lifecycle } from "../../provider/lifecycle/lifecycle.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { quietShop } from "./quiet-shop.ts";

export type Rows = readonly Readonly<Record<string, unknown>>[];

export interface World {
  readonly url: string;
  readonly credentials: { readonly applicationId: string; readonly password: string };
  /** Variables with which any program finds it. */
  readonly env: Readonly<Record<string, string>>;
  readonly client: Client;
  /** The provider's messages. */
  readonly said: string[];
  /** A folder for the program's files. */
  readonly folder: string;
  /** `METHOD path` of each request since the last look. */
  requests(): readonly string[];
  /** The requests during some work. */
  during(work: () => Promise<unknown>): Promise<readonly string[]>;
  /** The rows of a table, without deleted ones. */
  rows(table: string): Rows;
  /** Edits a row directly, like staff. */
  edit(patch: Readonly<Record<string, unknown>>): Promise<void>;
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  control(method: string, what: string, body?: unknown): Promise<unknown>;
  /** A request of a foreign client. */
  ask(
    method: string,
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** A kind's operations as the engine's host calls them; each call is another run of the same stack. */
  verbs(
    definition: Definition,
    adopt?: "key",
    guard?: Guard,
    plan?: Partial<Plan>,
  ): Lifecycle & { checked(news: Values, olds?: Values): Promise<Values> };
  file(path: string, content: string | Buffer): string;
  /** Moves this machine's clock, in milliseconds. */
  pass(ms: number): void;
}

/** Opens a world for the duration of a test. @param perPage page size of its stack */
export async function openWorld({
  perPage,
  ...options
}: ServeOptions & { readonly perPage?: number | undefined } = {}): Promise<World> {
  const served = await serveShop({ limit: "off", ...options });
  const { shop, url } = served;
  const { credentials } = shop;
  const said: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-world-"));
  // Waiting only moves the clock.
  let waited = 0;
  let runs = 0;
  const clock = {
    now: () => Date.now() + waited,
    wait: async (delayMs: number) => {
      waited += delayMs;
    },
  };
  const client = openClient(
    { url, ...credentials },
    { clock, random: () => 0, say: (line) => said.push(line) },
  );
  onTestFinished(async () => {
    await client.transport.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const control = async (method: string, what: string, body?: unknown) => {
    const headers = { "x-control-token": served.control };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/_control/${what}`, init);
    const answer = (await response.json()) as { error?: string };
    if (!response.ok) throw new Error(answer.error);
    return answer as unknown;
  };
  let seen = 0;
  const requests = () => {
    const lines = shop.log.map(({ method, path }) => `${method} ${path}`);
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh;
  };
  return {
    url,
    credentials,
    env: {
      SHOP_URL: url,
      SHOP_APPLICATION_ID: credentials.applicationId,
      SHOP_PASSWORD: credentials.password,
    },
    client,
    said,
    folder,
    requests,
    control,
    async during(work) {
      requests();
      await work();
      return requests();
    },
    rows: (table) => shop.store.list(table),
    edit: async (patch) => void (await control("PATCH", "objects", patch)),
    fault: async (fault) => void (await control("POST", "faults", fault)),
    ask: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: {
          ...basic(credentials),
          ...(body !== undefined && { "content-type": "application/xml" }),
          ...headers,
        },
      }),
    verbs(definition, adopt, guard, plan) {
      const { transport } = client;
      const say = (line: string) => said.push(line);
      const notes = openNotes(() => diskNoteFile(join(folder, "notes")), `run${runs++}`, say);
      const reads = openReads({ transport: () => transport, perPage: () => perPage, now: clock.now });
      const skewMs = () => undefined;
      const shop = { transport, url, folder, adopt, guard, ...clock, skewMs, say, plan, notes, reads };
      const opened = lifecycle(definition, quietShop(shop));
      return {
        ...opened,
        async checked(news, olds = {}) {
          const { inputs, failures } = await opened.check(olds, news);
          if (failures.length > 0) throw new Error(JSON.stringify(failures));
          return inputs;
        },
      };
    },
    file(path, content) {
      writeFileSync(join(folder, path), content);
      return path;
    },
    pass(ms) {
      waited += ms;
    },
  };
}

/** Definitions of creatable kinds, by name. */
export const resources: readonly Definition[] = (Object.values(definitions) as readonly Definition[]).filter(
  ({ operations }) => operations.create !== undefined,
);
