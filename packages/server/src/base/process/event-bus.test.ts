import { describe, expect, test } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { EventBus, type WakePayloads } from "./event-bus.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function record(bus: EventBus, channel: string): WakePayloads[] {
  const heard: WakePayloads[] = [];
  bus.onWake(channel, (payloads) => heard.push(payloads));
  return heard;
}

test("wakes of one turn arrive together, each payload once", async () => {
  const bus = new EventBus();
  const heard = record(bus, "ready");
  for (const team of ["a", "b", "a"]) bus.wake("ready", team);
  await nextTurn();
  expect(heard).toEqual([new Set(["a", "b"])]);
});

test("a wake without a payload covers every other of that turn", async () => {
  const bus = new EventBus();
  const heard = record(bus, "ready");
  bus.wake("ready", "a");
  bus.wake("ready");
  bus.wake("ready", "b");
  await nextTurn();
  expect(heard).toEqual([undefined]);
});

test("what a listener got does not change later", async () => {
  const bus = new EventBus();
  const heard = record(bus, "ready");
  bus.deliver("ready", ["a", "b"]);
  await nextTurn();
  bus.wake("ready", "c");
  await nextTurn();
  expect(heard).toEqual([new Set(["a", "b"]), new Set(["c"])]);
});

test("channels are separate, and a removed listener gets nothing", async () => {
  const bus = new EventBus();
  const log = record(bus, "log");
  let count = 0;
  const leave = bus.onWake("ready", () => count++);
  bus.wake("ready", "a");
  await nextTurn();
  leave();
  bus.wake("ready", "a");
  await nextTurn();
  expect({ log, count }).toEqual({ log: [], count: 1 });
});

test("what is delivered from outside is not sent out again", async () => {
  const bus = new EventBus();
  const sent: string[] = [];
  bus.forwardTo((channel, payload) => sent.push(`${channel} ${payload}`));
  bus.deliver("ready", ["x"]);
  bus.wake("ready", "y");
  await nextTurn();
  expect(sent).toEqual(["ready y"]);
});

describe("paced wakes", () => {
  const eventually = (condition: () => boolean) => until(condition, "the wake that was held back has come");

  test("the first is sent at once, later ones as one with every payload", async () => {
    const bus = new EventBus({ paceMs: 50 });
    const heard = record(bus, "sent");
    bus.wakePaced("sent", ["a"]);
    await nextTurn();
    expect(heard).toEqual([new Set(["a"])]);
    for (let index = 0; index < 1000; index += 1) {
      bus.wakePaced("sent", [index % 2 === 0 ? "a" : "b"]);
      if (index % 100 === 0) await nextTurn();
    }
    await eventually(() => heard.length === 2);
    expect(heard[1]).toEqual(new Set(["a", "b"]));
    bus.wakePaced("sent", []);
    expect(heard).toHaveLength(2);
  });

  test("more payloads than one can name are all of them, for other processes, too", async () => {
    const bus = new EventBus({ paceMs: 10 });
    const heard = record(bus, "sent");
    const forwarded: string[] = [];
    bus.forwardTo((channel, payload) => forwarded.push(`${channel} ${payload}`));
    bus.wakePaced(
      "sent",
      Array.from({ length: 101 }, (_, index) => `team ${index}`),
    );
    await nextTurn();
    expect(heard).toEqual([undefined]);
    expect(forwarded).toEqual(["sent undefined"]);
  });
});
