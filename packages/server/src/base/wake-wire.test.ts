import { expect, test } from "vitest";
import { type WakePayloads, WakeWire } from "./wake-wire.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function record(wire: WakeWire, channel: string): WakePayloads[] {
  const heard: WakePayloads[] = [];
  wire.onWake(channel, (payloads) => heard.push(payloads));
  return heard;
}

test("wakes of one turn arrive together, each payload once", async () => {
  const wire = new WakeWire();
  const heard = record(wire, "ready");
  for (const team of ["a", "b", "a"]) wire.wake("ready", team);
  await nextTurn();
  expect(heard).toEqual([new Set(["a", "b"])]);
});

test("a wake without a payload covers every other of that turn", async () => {
  const wire = new WakeWire();
  const heard = record(wire, "ready");
  wire.wake("ready", "a");
  wire.wake("ready");
  wire.wake("ready", "b");
  await nextTurn();
  expect(heard).toEqual([undefined]);
});

test("channels do not hear each other, and who left hears nothing", async () => {
  const wire = new WakeWire();
  const log = record(wire, "log");
  let count = 0;
  const leave = wire.onWake("ready", () => count++);
  wire.wake("ready", "a");
  await nextTurn();
  leave();
  wire.wake("ready", "a");
  await nextTurn();
  expect({ log, count }).toEqual({ log: [], count: 1 });
});

test("what is delivered from outside is not sent out again", async () => {
  const wire = new WakeWire();
  const sent: string[] = [];
  wire.forwardTo((channel, payload) => sent.push(`${channel} ${payload}`));
  wire.deliver("ready", ["x"]);
  wire.wake("ready", "y");
  await nextTurn();
  expect(sent).toEqual(["ready y"]);
});
