/** A server in its own process, for scripts/bench/serve.ts: prints its address, and its usage on request. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { serveShop } from "../../emulator/index.ts";

/** The line that a server prints when it is ready. */
export interface Ready {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function openShop(): Promise<Ready> {
  const { url, shop } = await serveShop({ limit: "off" });
  const { applicationId, password } = shop.credentials;
  const basic = Buffer.from(`${applicationId}:${password}`).toString("base64");
  return { url, headers: { authorization: `Basic ${basic}` } };
}

/** The members in use. */
interface Mock {
  runServer(port: number): Promise<void>;
}
type MockModule = { readonly CommercetoolsMock: new (options: object) => Mock };

async function openOther(folder: string): Promise<Ready> {
  const found = createRequire(join(folder, "package.json")).resolve("@labdigital/commercetools-mock");
  const { CommercetoolsMock } = (await import(pathToFileURL(found).href)) as MockModule;
  const mock = new CommercetoolsMock({
    enableAuthentication: false,
    validateCredentials: false,
    defaultProjectKey: "bench",
    silent: true,
  });
  // It doesn't report its port, so a free one is chosen for it.
  const port = await freePort();
  await mock.runServer(port);
  const url = `http://localhost:${port}`;
  const body = JSON.stringify({ name: "bench", key: "bench", description: "bench", attributes: [] });
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${url}/bench/product-types`, { method: "POST", headers, body });
  if (!made.ok) throw new Error(`the product type was answered with ${made.status}`);
  return { url, headers: {} };
}

async function freePort(): Promise<number> {
  const { url, close } = await serveShop();
  await close();
  return Number(new URL(url).port);
}

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

const [what, folder = ""] = process.argv.slice(2);
const ready = what === "shop" ? await openShop() : await openOther(folder);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  collect();
  process.send?.({ cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() });
});
process.send?.(ready);
