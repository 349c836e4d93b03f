import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { listenForShutdown, untilAborted } from "./shutdown.ts";

afterEach(() => vi.restoreAllMocks());

test("the first signal stops gracefully, an immediate repeat is ignored, and a later one stops at once", async () => {
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

test("a process continues after an unhandled error, and reports it", async () => {
  const program = await buildProgram(fileURLToPath(new URL("../../../test/processes/rejecting-program.ts", import.meta.url)));
  const child = spawn(process.execPath, [program]);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect([output, code]).toEqual(["left alone\nwent on\n", 0]);
});
