import { describe, expect, test } from "vitest";
import { until } from "../../test/until.ts";
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

describe("paced wakes", () => {
  const eventually = (condition: () => boolean) => until(condition, "the wake that was held back has come");

  test("the first goes out at once, a storm behind it as one that holds every payload, and then all is quiet", async () => {
    const wire = new WakeWire({ paceMs: 50 });
    const heard = record(wire, "sent");
    wire.wakePaced("sent", ["a"]);
    await nextTurn();
    expect(heard).toEqual([new Set(["a"])]);
    for (let index = 0; index < 1000; index += 1) {
      wire.wakePaced("sent", [index % 2 === 0 ? "a" : "b"]);
      if (index % 100 === 0) await nextTurn();
    }
    await eventually(() => heard.length === 2);
    expect(heard[1]).toEqual(new Set(["a", "b"]));
    wire.wakePaced("sent", []);
    expect(heard).toHaveLength(2);
  });

  test("more payloads than one can name are all of them, for other processes, too", async () => {
    const wire = new WakeWire({ paceMs: 10 });
    const heard = record(wire, "sent");
    const forwarded: string[] = [];
    wire.forwardTo((channel, payload) => forwarded.push(`${channel} ${payload}`));
    wire.wakePaced(
      "sent",
      Array.from({ length: 101 }, (_, index) => `team ${index}`),
    );
    await nextTurn();
    expect(heard).toEqual([undefined]);
    expect(forwarded).toEqual(["sent undefined"]);
  });
});
