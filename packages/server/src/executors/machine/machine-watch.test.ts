import { expect, onTestFinished, test } from "vitest";
import { MachineWatch } from "./machine-watch.ts";

const shortOfFiles = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE", syscall: "open" });

/** A watch of this machine, which has no fault. */
function openWatch() {
  const time = { now: 0 };
  const said: string[] = [];
  const log = {
    info: (_: object, text?: string) => void said.push(text ?? ""),
    warn: (_: object, text?: string) => void said.push(text ?? ""),
  };
  const watch = new MachineWatch({ log: log as never, lookEveryMs: 10_000, clock: () => time.now });
  onTestFinished(() => watch.close());
  const isWellAfter = async (ms: number): Promise<boolean> => {
    time.now += ms;
    await watch.look();
    return watch.fault === undefined;
  };
  return { watch, said, isWellAfter };
}

test("a fault of the machine is blamed on it, and anything else is not", () => {
  const { watch } = openWatch();
  expect(watch.blame(Object.assign(new Error("no such file"), { code: "ENOENT" }))).toBeUndefined();
  expect(watch.fault).toBeUndefined();
  expect(watch.blame(shortOfFiles)).toMatchObject({ code: "EMFILE" });
  expect(watch.fault).toMatchObject({
    words: "the worker has too many files open",
    detail: expect.stringMatching(/limit of this process is \d+$/),
  });
});

test("after a fault it pauses, longer each time the fault returns, and briefly again after a long time without faults", async () => {
  const { watch, said, isWellAfter } = openWatch();
  for (const pauseMs of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    watch.blame(shortOfFiles);
    // Other attempts meet it at the same time.
    watch.blame(shortOfFiles);
    expect(await isWellAfter(pauseMs - 1)).toBe(false);
    expect(await isWellAfter(1)).toBe(true);
  }
  expect(said).toHaveLength(10);
  expect(await isWellAfter(60_001)).toBe(true);
  watch.blame(shortOfFiles);
  expect(await isWellAfter(10_000)).toBe(true);
});
