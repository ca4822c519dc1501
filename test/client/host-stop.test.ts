// An engine's child process detects the stop of the run and the end of the engine.
import { connect, createServer } from "node:http2";
import { PassThrough } from "node:stream";
import * as grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { exitWithEngine, openHostStop } from "../../provider/client/host-stop.ts";
import { manualTimers } from "./server.ts";

const opened = () => {
  const stop = openHostStop();
  onTestFinished(() => stop.close());
  return stop.signal;
};
const aborted = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener("abort", resolve));

test("the event of the embedded engine stops the host", () => {
  const signal = opened();
  process.emit("stopRun" as never);
  expect(signal.aborted).toBe(true);
});

test("only the HTTP/2 call Cancel of a provider stops the host", async () => {
  const signal = opened();
  const server = createServer((_request, response) => response.end());
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  onTestFinished(() => {
    session.close();
    server.close();
  });
  const call = (path: string) =>
    new Promise((resolve) =>
      session.request({ ":path": path, ":method": "POST" }).resume().on("end", resolve).end(),
    );
  await call("/pulumirpc.ResourceProvider/Create");
  await call("/pulumirpc.ResourceMonitor/Cancel");
  expect(signal.aborted).toBe(false);
  await call("/pulumirpc.ResourceProvider/Cancel");
  expect(signal.aborted).toBe(true);
});

test("a gRPC Cancel stops the host while another call is waiting", async () => {
  const signal = opened();
  const bytes = { serialize: (value: Buffer) => value, deserialize: (value: Buffer) => value };
  const method = (name: string) => ({
    path: `/pulumirpc.ResourceProvider/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  });
  const service = { create: method("Create"), cancel: method("Cancel") };
  const server = new grpc.Server();
  const empty = Buffer.alloc(0);
  server.addService(service, {
    create: (_call: unknown, done: grpc.sendUnaryData<Buffer>) =>
      void aborted(signal).then(() => done(null, empty)),
    cancel: (_call: unknown, done: grpc.sendUnaryData<Buffer>) => done(null, empty),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const client = new (grpc.makeGenericClientConstructor(service, "ResourceProvider"))(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
  );
  onTestFinished(() => {
    client.close();
    server.forceShutdown();
  });
  const call = (name: string) =>
    new Promise((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = method(name);
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, empty, (error: Error | null) =>
        error === null ? resolve(name) : reject(error),
      );
    });
  const create = call("Create");
  await call("Cancel");
  expect(await create).toBe("Create");
});

test("the end of the engine's pipe stops the host at once and exits after the grace period", async () => {
  const input = new PassThrough();
  const timers = manualTimers();
  const events: string[] = [];
  const exit = () => void events.push("exit");
  exitWithEngine(() => events.push("stopped"), { input, exit, timer: timers.timer });
  input.write("x");
  expect(events).toEqual([]);
  input.end();
  await new Promise((resolve) => input.once("close", resolve));
  expect(events).toEqual(["stopped"]);
  expect(timers.pending()).toEqual([2_000]);
  timers.ring(2_000);
  expect(events).toEqual(["stopped", "exit"]);
});

test("the host doesn't listen to a standard input that isn't a pipe", () => {
  const timers = manualTimers();
  exitWithEngine(() => {}, { input: undefined, exit: () => {}, timer: timers.timer });
  expect(timers.pending()).toEqual([]);
});
