import fc from "fast-check";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { Loop, type Service, startServices } from "./service.ts";

const log = createLog("silent");
const hour = 3_600_000;

/** Lets a test block a round and see which ones are in progress. */
class Gate {
  entered = 0;
  inside = 0;
  most = 0;
  #leave: (() => void)[] = [];
  #watchers: (() => void)[] = [];

  round = async (): Promise<undefined> => {
    this.entered++;
    this.inside++;
    this.most = Math.max(this.most, this.inside);
    for (const watcher of this.#watchers.splice(0)) watcher();
    await new Promise<void>((resolve) => this.#leave.push(resolve));
    this.inside--;
  };

  async untilEntered(count: number): Promise<void> {
    while (this.entered < count) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  open(): void {
    for (const leave of this.#leave.splice(0)) leave();
  }
}

test("the first round comes at the start, further ones when it is woken, and none after it stopped", async () => {
  const gate = new Gate();
  const loop = new Loop({ name: "test", intervalMs: hour, round: gate.round, log });
  await loop.start();
  await gate.untilEntered(1);
  gate.open();
  loop.wake();
  await gate.untilEntered(2);
  gate.open();
  await loop.stop();
  loop.wake();
  await new Promise(setImmediate);
  expect(gate.entered).toBe(2);
});

test("a stop waits for the running round and aborts it", async () => {
  let isOver = false;
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const round = async (signal: AbortSignal) => {
    begun();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    isOver = true;
    return undefined;
  };
  const loop = new Loop({ name: "test", intervalMs: hour, round, log });
  await loop.start();
  await hasBegun;
  await loop.stop();
  expect(isOver).toBe(true);
});

test("wakes during a round lead to exactly one more", async () => {
  const gate = new Gate();
  const loop = new Loop({ name: "test", intervalMs: hour, round: gate.round, log });
  await loop.start();
  await gate.untilEntered(1);
  for (let count = 0; count < 10; count++) loop.wake();
  gate.open();
  await gate.untilEntered(2);
  gate.open();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(gate.entered).toBe(2);
  await loop.stop();
});

test("a round that has more to do is followed at once", async () => {
  let left = 5;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const round = async () => {
    if (--left > 0) return "more" as const;
    finish();
    return undefined;
  };
  const loop = new Loop({ name: "test", intervalMs: hour, round, log });
  await loop.start();
  await finished;
  await loop.stop();
  expect(left).toBe(0);
});

test("a failed round is followed by another; a manual tick throws to its caller", async () => {
  let rounds = 0;
  let recover = () => {};
  const recovered = new Promise<void>((resolve) => {
    recover = resolve;
  });
  const round = async () => {
    if (++rounds < 3) throw new Error("not yet");
    recover();
    return undefined;
  };
  const loop = new Loop({ name: "test", intervalMs: hour, round, log });
  await expect(loop.tick()).rejects.toThrow("not yet");
  await loop.start();
  await recovered;
  await loop.stop();
});

test("a manual tick works without a start, and never beside another round", async () => {
  const gate = new Gate();
  const loop = new Loop({ name: "test", intervalMs: hour, round: gate.round, log });
  const ticks = [loop.tick(), loop.tick(), loop.start()];
  for (let count = 1; count <= 3; count++) {
    await gate.untilEntered(count);
    gate.open();
  }
  await Promise.all(ticks);
  const stopping = loop.stop();
  await stopping;
  expect(gate.most).toBe(1);
});

test("the signal of the start ends it", async () => {
  const abort = new AbortController();
  const gate = new Gate();
  const loop = new Loop({ name: "test", intervalMs: hour, round: gate.round, log });
  await loop.start(abort.signal);
  await gate.untilEntered(1);
  abort.abort();
  gate.open();
  await loop.stop();
  loop.wake();
  await new Promise(setImmediate);
  expect(gate.entered).toBe(1);
});

test("after its signal ended it, it can be started again", async () => {
  const abort = new AbortController();
  const gate = new Gate();
  const loop = new Loop({ name: "test", intervalMs: hour, round: gate.round, log });
  await loop.start(abort.signal);
  await gate.untilEntered(1);
  abort.abort();
  const again = loop.start();
  gate.open();
  await again;
  await gate.untilEntered(2);
  gate.open();
  await loop.stop();
});

test("after any mix of starts and stops the last one wins, and two rounds never overlap", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("start", "stop", "wake", "tick", "turn"), { maxLength: 40 }), async (acts) => {
      let inside = 0;
      let most = 0;
      let rounds = 0;
      const round = async () => {
        rounds++;
        most = Math.max(most, ++inside);
        await new Promise(setImmediate);
        inside--;
        return undefined;
      };
      const loop = new Loop({ name: "test", intervalMs: hour, round, log });
      const all: Promise<void>[] = [];
      for (const act of acts) {
        if (act === "wake") loop.wake();
        else if (act === "turn") await new Promise(setImmediate);
        else all.push(loop[act]());
      }
      await Promise.all(all);
      const last = acts.filter((act) => act === "start" || act === "stop").at(-1);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      const before = rounds;
      loop.wake();
      for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
      expect(rounds > before).toBe(last === "start");
      await loop.stop();
      expect({ inside, most: Math.max(1, most) }).toEqual({ inside: 0, most: 1 });
    }),
    { numRuns: 300 },
  );
});

test("services start in order; when one fails, those before it stop the other way round, even if one of them fails, too", async () => {
  const events: string[] = [];
  const make = (name: string, failing: "start" | "stop" | "" = ""): Service => ({
    name,
    start: async () => {
      events.push(`+${name}`);
      if (failing === "start") throw new Error(`${name} cannot start`);
    },
    stop: async () => {
      events.push(`-${name}`);
      if (failing === "stop") throw new Error(`${name} cannot stop`);
    },
    tick: async () => {},
  });
  await expect(startServices([make("a"), make("b"), make("c", "start")])).rejects.toThrow("c cannot start");
  expect(events.splice(0)).toEqual(["+a", "+b", "+c", "-b", "-a"]);
  await expect(startServices([make("a"), make("b", "stop"), make("c", "start")])).rejects.toThrow("failed to stop");
  expect(events).toEqual(["+a", "+b", "+c", "-b", "-a"]);
});
