/**
 * `npm run bench -- serve`: the embedded shop with many objects and many clients, compared with another stateful
 * emulator of a shop's API (commercetools' API, because there is no other for this interface). That one is no
 * dependency: `npm install --prefix FOLDER @labdigital/commercetools-mock` and `--other FOLDER`; without it, its rows
 * are left out.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import type { Ready } from "./server.ts";
import { table } from "./table.ts";

/** The requests for one server. */
interface Dialect {
  readonly name: string;
  readonly server: "shop" | "other";
  readonly create: (n: number) => Asked;
  /** The id in the answer to a create, and further data that an update needs. */
  readonly made: (body: string) => Made;
  readonly get: (made: Made) => Asked;
  readonly update: (made: Made, n: number) => Asked;
  readonly list: (page: number) => Asked;
}
interface Asked {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: string;
}
interface Made {
  readonly id: string;
  version: number;
}

const product = (n: number) => ({
  title: `Product ${n}`,
  variants_attributes: [{ sku: `SKU-${n}`, price: 100 + (n % 900), quantity: 5 }],
});
const perPage = 100;

const inXml: Dialect = {
  name: "pulumi-shop serve, XML",
  server: "shop",
  create: (n) => ({
    method: "POST",
    path: "/admin/products.xml",
    body: `<product><title>Product ${n}</title><variants-attributes type="array"><variant><sku>SKU-${n}</sku><price>${100 + (n % 900)}</price><quantity>5</quantity></variant></variants-attributes></product>`,
  }),
  made: (body) => ({
    id: /<id type="integer">(\d+)</.exec(body.split("<variants")[0] ?? "")?.[1] ?? "",
    version: 1,
  }),
  get: ({ id }) => ({ method: "GET", path: `/admin/products/${id}.xml` }),
  update: ({ id }, n) => ({
    method: "PUT",
    path: `/admin/products/${id}.xml`,
    body: `<product><title>Edited ${n}</title></product>`,
  }),
  list: (page) => ({ method: "GET", path: `/admin/products.xml?page=${page}&per_page=${perPage}` }),
};

const inJson: Dialect = {
  name: "pulumi-shop serve, JSON",
  server: "shop",
  create: (n) => ({
    method: "POST",
    path: "/admin/products.json",
    body: JSON.stringify({ product: product(n) }),
  }),
  made: (body) => ({ id: String((JSON.parse(body) as { id: number }).id), version: 1 }),
  get: ({ id }) => ({ method: "GET", path: `/admin/products/${id}.json` }),
  update: ({ id }, n) => ({
    method: "PUT",
    path: `/admin/products/${id}.json`,
    body: JSON.stringify({ product: { title: `Edited ${n}` } }),
  }),
  list: (page) => ({ method: "GET", path: `/admin/products.json?page=${page}&per_page=${perPage}` }),
};

const other: Dialect = {
  name: "@labdigital/commercetools-mock",
  server: "other",
  create: (n) => ({
    method: "POST",
    path: "/bench/products",
    body: JSON.stringify({
      productType: { typeId: "product-type", key: "bench" },
      name: { en: `Product ${n}` },
      slug: { en: `product-${n}` },
      masterVariant: {
        sku: `SKU-${n}`,
        prices: [{ value: { currencyCode: "EUR", centAmount: 100 * (100 + (n % 900)) } }],
      },
    }),
  }),
  made: (body) => JSON.parse(body) as Made,
  get: ({ id }) => ({ method: "GET", path: `/bench/products/${id}` }),
  update(made, n) {
    const { id, version } = made;
    made.version += 1;
    return {
      method: "POST",
      path: `/bench/products/${id}`,
      body: JSON.stringify({ version, actions: [{ action: "changeName", name: { en: `Edited ${n}` } }] }),
    };
  },
  list: (page) => ({
    method: "GET",
    path: `/bench/products?limit=${perPage}&offset=${(page - 1) * perPage}`,
  }),
};

interface Work {
  readonly perSecond: number;
  /** Milliseconds for the median and for the 99th percentile of requests. */
  readonly median: number;
  readonly slow: number;
  /** CPU time of the server's process per request, which doesn't depend on the machine's load. */
  readonly cpuMs: number;
}

interface Measured {
  readonly dialect: Dialect;
  /** In the order of `works`; a text if the server failed. */
  readonly works: readonly (Work | string)[];
  readonly megabytes: readonly number[];
}

const works = ["create", "get", "update", "list 100"] as const;

/** Measures the servers one after the other. @returns tables in Markdown */
export async function measureServers(
  objects: number,
  clients: number,
  folder: string | undefined,
): Promise<string> {
  const measured: Measured[] = [];
  for (const dialect of [inXml, inJson, ...(folder === undefined ? [] : [other])]) {
    const one = await measure(dialect, objects, clients, folder ?? "");
    process.stderr.write(`${JSON.stringify({ name: dialect.name, ...one, dialect: undefined })}\n`);
    measured.push(one);
  }
  const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
  return [
    `${objects.toLocaleString("en")} products, ${clients} clients at once; requests a second (median / 99th of 100, milliseconds; processor time of the server for each, milliseconds):`,
    table(
      ["server", ...works, "memory empty, MB", "full, MB", "after all, MB"],
      measured.map(({ dialect, works: done, megabytes }) => [
        dialect.name,
        ...done.map((one) => {
          if (typeof one === "string") return one;
          const { perSecond, median, slow, cpuMs } = one;
          return `${round(perSecond)} (${round(median)} / ${round(slow)}; ${cpuMs.toFixed(2)})`;
        }),
        ...megabytes.map(Math.round),
      ]),
    ),
  ].join("\n\n");
}

async function measure(
  dialect: Dialect,
  objects: number,
  clients: number,
  folder: string,
): Promise<Measured> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [dialect.server, folder], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    const ready = await told<Ready>(child);
    // A slow server must not time out.
    const patience = { headersTimeout: 0, bodyTimeout: 0 };
    const pool = new Pool(ready.url, { connections: clients, pipelining: 1, ...patience });
    const type = dialect === inXml ? "application/xml" : "application/json";
    const ask = async ({ method, path, body }: Asked): Promise<string> => {
      const headers = { ...ready.headers, ...(body !== undefined && { "content-type": type }) };
      const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) });
      const text = await answer.body.text();
      if (answer.statusCode >= 300)
        throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
      return text;
    };
    const megabytes = [(await used(child)).megabytes];
    const made: Made[] = [];
    const done = [
      await load(
        child,
        objects,
        clients,
        async (n) => void made.push(dialect.made(await ask(dialect.create(n)))),
      ),
    ];
    megabytes.push((await used(child)).megabytes);
    const one = (n: number) => made[(n * 7_919) % made.length] as Made;
    const fewer = Math.min(objects, 5_000);
    done.push(await load(child, fewer, clients, async (n) => void (await ask(dialect.get(one(n))))));
    // Each object once, because its version is sent along.
    done.push(
      await load(child, fewer, clients, async (n) => void (await ask(dialect.update(made[n] as Made, n)))),
    );
    const pages = Math.ceil(objects / perPage);
    done.push(
      await load(
        child,
        Math.min(pages, 100),
        clients,
        async (n) => void (await ask(dialect.list(1 + (n % pages)))),
      ),
    );
    megabytes.push((await used(child)).megabytes);
    await pool.destroy();
    return { dialect, works: done, megabytes };
  } finally {
    child.kill();
  }
}

const told = <T>(child: ChildProcess) =>
  new Promise<T>((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });

/** Usage of a server: CPU milliseconds, and resident megabytes after a garbage collection. */
async function used(child: ChildProcess): Promise<{ readonly cpuMs: number; readonly megabytes: number }> {
  child.send("used");
  const { cpuMs, bytes } = await told<{ readonly cpuMs: number; readonly bytes: number }>(child);
  return { cpuMs, megabytes: bytes / 1024 / 1024 };
}

/** Performs work with a number of clients, each continuing as soon as it is done. */
async function load(
  child: ChildProcess,
  count: number,
  clients: number,
  work: (n: number) => Promise<void>,
): Promise<Work | string> {
  const before = await used(child);
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  const client = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      const from = performance.now();
      await work(n);
      times.push(performance.now() - from);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } catch (error) {
    // A busy server may drop connections, which is a result, too.
    const { code, message } = error as NodeJS.ErrnoException;
    return `failed: ${code ?? message}`;
  }
  const passed = performance.now() - began;
  times.sort((one, two) => one - two);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const cpuMs = ((await used(child)).cpuMs - before.cpuMs) / count;
  process.stderr.write(".");
  return { perSecond: (count * 1000) / passed, median: at(0.5), slow: at(0.99), cpuMs };
}
