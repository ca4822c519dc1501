// Reused ports: a failed connection to a former listener doesn't affect the next one.
import { createServer } from "node:net";
import { Server, ServerCredentials, type ServiceError, status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { clientOf } from "../../engine/processes/provider-client.ts";
import { emptyModule } from "../../engine/processes/wire.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The status code of a provider client's error. */
function codeAt(port: number): Promise<status | undefined> {
  const client = clientOf(port);
  onTestFinished(() => client.close());
  return new Promise((resolve) =>
    client.getPluginInfo(new emptyModule.Empty(), (error: ServiceError | null) => resolve(error?.code)),
  );
}

/** Confirms that nothing listens at a port. @returns whether the port was free */
const listenAt = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = new Server();
    onTestFinished(() => server.forceShutdown());
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) =>
      resolve(error === null),
    );
  });

test("a provider is reached at a port where nothing listened a moment before", async () => {
  let port: number;
  // Another process may take the port meanwhile.
  do port = await freePort();
  while ((await codeAt(port)) !== status.UNAVAILABLE || !(await listenAt(port)));
  expect(await codeAt(port)).toBe(status.UNIMPLEMENTED);
});
