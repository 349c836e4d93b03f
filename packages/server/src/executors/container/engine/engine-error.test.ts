import { expect, test } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { EngineAway, EngineRefusal, toEngineError } from "./engine-error.ts";

const answer = (message: string) => ({ statusCode: 500, message: `HTTP 500 ${message}`, json: { message } });

test.each([
  'Get "http://127.0.0.1:5000/v2/": http: server closed idle connection',
  'Get "https://registry.example.com/v2/": context canceled',
  'Get "https://registry.example.com/v2/": dial unix /run/proxy.sock: connect: connection refused',
  "unknown: shutting down",
])("what Docker says of a registry is not a word about itself: %s", (message) => {
  expect(toEngineError(answer(message), true)).toBeInstanceOf(EngineRefusal);
});

test.each([
  "transport is closing",
  "error reading server preface: http2: frame too large",
  "connection error: dial unix /run/containerd/containerd.sock: connect: connection refused",
])("an engine that is being stopped, or has lost its containerd, is away: %s", (message) => {
  expect(toEngineError(answer(message))).toBeInstanceOf(EngineAway);
});

test("a lost containerd counts as a fault of the engine, even during a pull", () => {
  expect(toEngineError(answer("dial unix /run/containerd/containerd.sock: connect: connection refused"), true)).toBeInstanceOf(EngineAway);
});

test("a very long message is shortened to its two ends, within little processor time", () => {
  const expectWithin = startWork();
  const long = toEngineError(answer(`mount: ${"dial unix ".repeat(100_000)}: no space left on device`));
  expect(long).toBeInstanceOf(EngineRefusal);
  expect(long.message).toMatch(/^mount: dial unix .*….*: no space left on device$/);
  expect(long.message.length).toBeLessThan(5_000);
  expectWithin(2_000);
});
