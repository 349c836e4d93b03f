import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { listenForShutdown, untilAborted } from "./shutdown.ts";

afterEach(() => vi.restoreAllMocks());

test("the first signal asks to stop, its echo is ignored, and a later one loses patience", async () => {
  const source = new EventEmitter();
  let impatient = 0;
  const { signal, dispose } = listenForShutdown(source, () => impatient++);
  expect(signal.aborted).toBe(false);
  const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
  source.emit("SIGINT");
  await untilAborted(signal);
  clock.mockReturnValue(11_900);
  source.emit("SIGTERM");
  source.emit("SIGINT");
  expect(impatient).toBe(0);
  clock.mockReturnValue(12_100);
  source.emit("SIGINT");
  expect(impatient).toBe(1);
  dispose();
  expect(source.eventNames()).toEqual([]);
});
