// Registrations through the pipe arrive exactly as by gRPC.
import { once } from "node:events";
import { Duplex } from "node:stream";
import resourceMessages from "@pulumi/pulumi/proto/resource_pb.js";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { expect, test } from "vitest";
import { coded, decoded, openLines } from "../../engine/processes/registration-pipe.ts";
import { inOrder, toStruct } from "../../engine/processes/wire.ts";

const { RegisterResourceRequest } = resourceMessages;

function requestOf(value: unknown) {
  const request = new RegisterResourceRequest();
  request.setName("mug");
  request.setProtect(false);
  request.setAliasurnsList(["urn:one"]);
  request.getProvidersMap().set("shop", "urn:two");
  request.setObject(structModule.Struct.fromJavaScript({ value } as never));
  return request;
}

test.each([
  ["nothing", null],
  ["an empty text", ""],
  ["an empty object", {}],
  ["lists in objects in lists", [{ rows: [[], { a: false, b: 0, c: "" }, 1.5] }]],
  ["letters of many kinds", "\u2028\r\n\t\u0000 кружка 🏺"],
  ["half of a letter", "a\ud83fb"],
  ["a number that is none", [Number.NaN, Number.POSITIVE_INFINITY]],
])("%s is registered the same way through the pipe and by gRPC", (_what, value) => {
  const request = requestOf(value);
  const binary = RegisterResourceRequest.deserializeBinary(request.serializeBinary());
  const piped = decoded(RegisterResourceRequest, JSON.parse(JSON.stringify(coded(request))));
  expect(piped.toObject()).toEqual(binary.toObject());
  expect(piped.getObject()?.toJavaScript()).toEqual(binary.getObject()?.toJavaScript());
  expect(piped.hasRetainondelete()).toBe(false);
});

test("the properties in an answer have the same order as in gRPC's message", () => {
  const properties = { b: 1, a: [{ ж: null, é: "", z: { 10: 1, 2: 2, x: [] } }], 7: true, A: 0.5 };
  expect(JSON.stringify(inOrder(properties))).toBe(JSON.stringify(toStruct(properties).toJavaScript()));
});

test("lines are read in order, however they are split", async () => {
  const pipe = new Duplex({ read: () => {}, write: (_text, _encoding, done) => done() });
  const taken: unknown[] = [];
  openLines(pipe, (line) => taken.push(line));
  const bytes = Buffer.from('["ж"]\n[2]\n["\u2028"]\n');
  for (const byte of bytes) pipe.push(Buffer.from([byte]));
  pipe.push("[4]\n[5]\n[6");
  pipe.push(null);
  await once(pipe, "end");
  expect(taken).toEqual([["ж"], [2], ["\u2028"], [4], [5]]);
});
