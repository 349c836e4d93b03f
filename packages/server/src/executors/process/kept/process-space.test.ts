import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findProcessSpace, listProcessSpace } from "./process-space.ts";

const isListed = existsSync("/proc/self/root/proc/self/stat");

test.skipIf(!isListed)("lists the processes that a process sees, including the newest", async () => {
  const child = spawn("sleep", ["100"]);
  await once(child, "spawn");
  expect(listProcessSpace(process.pid)).toEqual(expect.arrayContaining([process.pid, child.pid]));
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(listProcessSpace(process.pid)).not.toContain(child.pid);
});

test("finds nothing for a process that is gone, or if the namespace has processes besides the given ones", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(listProcessSpace(child.pid as number)).toBeUndefined();
  expect(findProcessSpace([process.pid])).toBeUndefined();
  expect(findProcessSpace([])).toBeUndefined();
});
