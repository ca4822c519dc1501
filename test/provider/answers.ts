/** A shop that is nothing but its answers: for what the verbs make of them, of kinds that no shop has. */
import { NotFoundError } from "../../provider/client/errors.ts";
import type { Request, Transport } from "../../provider/client/transport.ts";
import type { Shop } from "../../provider/context/context.ts";
import { openNotes } from "../../provider/context/create-notes.ts";
import type { NoteFile } from "../../provider/context/note-file.ts";
import type { Notice } from "../../provider/context/notices.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { quietShop } from "../support/quiet-shop.ts";

/** A document, a list of them, nothing, or the error that the client makes of it. */
export type Answered = object | undefined | Error;

/** @param body what was sent, without its root */
export type Answers = (request: string, body: Readonly<Record<string, unknown>>) => Answered;

export interface Scene {
  readonly shop: Shop;
  /** `METHOD path` of each request, `wait MS` of each pause; in order, since the last look. */
  log(): readonly string[];
  /** What was said to the person who watches. */
  readonly said: string[];
  readonly notices: Notice[];
}

interface Options extends Partial<Omit<Shop, "plan" | "transport">> {
  readonly plan?: Partial<Plan>;
}

/** 404. */
export const notFound = new NotFoundError({ status: 404 });

/** The time at which a scene begins, on both clocks. */
export const began = Date.parse("2026-05-01T12:00:00Z");

/** A file of notes in memory. */
function noteFile(): NoteFile {
  let text: string | undefined;
  return {
    read: () => text,
    append: async (line) => {
      text = `${text ?? ""}${line}`;
    },
    clear: () => {
      text = "";
    },
  };
}

/** @param answers of requests whose body is JSON (their path ends so, which no log repeats) or none */
export function scene(answers: Answers, { plan, ...options }: Options = {}): Scene {
  const said: string[] = [];
  const notices: Notice[] = [];
  const lines: string[] = [];
  let waited = 0;
  const now = options.now ?? (() => began + waited);
  const transport: Transport = {
    async send<T>({ method, path, body }: Request, read: (answer: never) => T): Promise<T> {
      const line = `${method} ${path.replace(".json", "")}`;
      lines.push(line);
      const [sent = {}] = Object.values(JSON.parse(body ?? "{}") as Record<string, object>);
      const answered = answers(line, sent as Readonly<Record<string, unknown>>);
      if (answered instanceof Error) throw answered;
      const text = answered === undefined ? "" : JSON.stringify(answered);
      return read({ status: 200, contentType: "application/json", body: text } as never);
    },
    download: () => Promise.reject(new Error("nothing is fetched")),
    usage: () => {
      throw new Error("nothing is counted");
    },
    shopTime: now,
    shopAheadMs: () => 0,
    close: async () => {},
  };
  const shop = quietShop({
    transport,
    url: "https://shop.test",
    folder: "/nowhere",
    now,
    wait: async (ms) => {
      lines.push(`wait ${ms}`);
      waited += ms;
    },
    say: (line) => said.push(line),
    sayInPreview: (line) => said.push(`preview: ${line}`),
    notice: (notice) => notices.push(notice) > 0,
    notes: openNotes(noteFile, "run", (line) => said.push(line)),
    ...options,
    plan,
  });
  return { shop, log: () => lines.splice(0), said, notices };
}

/** An object as a shop has it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Objects under an address, made, read, changed and deleted as a shop does. */
export interface Table {
  readonly rows: Map<string, Readonly<Record<string, unknown>>>;
  readonly answers: Answers;
}

/** @param address of the list, `/wares` for instance */
export function table(address: string, ...objects: readonly Row[]): Table {
  const rows = new Map<string, Readonly<Record<string, unknown>>>(
    objects.map((one) => [String(one.id), { ...one }]),
  );
  let next = 100;
  const answers: Answers = (line, body) => {
    const [method = "", path = ""] = line.split(" ");
    const id = path.slice(address.length + 1);
    if (method === "GET" && /^(\?|$)/.test(path.slice(address.length))) return [...rows.values()];
    if (method === "POST") {
      next += 1;
      rows.set(String(next), { id: next, ...body });
      return rows.get(String(next));
    }
    if (!rows.has(id)) return notFound;
    if (method === "DELETE") rows.delete(id);
    if (method === "PUT") rows.set(id, { ...rows.get(id), ...body });
    return rows.get(id);
  };
  return { rows, answers };
}
