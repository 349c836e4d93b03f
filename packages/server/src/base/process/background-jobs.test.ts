import { expect, test } from "vitest";
import { BackgroundJobs } from "./background-jobs.ts";
import { createLog } from "./log.ts";

/** A promise that the test resolves. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function logged() {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line: string) => void lines.push(line) }) };
}

test("a background job starts after its caller has finished, and a failed one is logged and affects no other", async () => {
  const { lines, log } = logged();
  const backgroundJobs = new BackgroundJobs(log);
  const done: string[] = [];
  backgroundJobs.run("fails", async () => {
    throw new Error("no luck");
  });
  backgroundJobs.run("works", async () => void done.push("works"));
  expect(done).toEqual([]);
  await backgroundJobs.settled();
  expect(done).toEqual(["works"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("no luck");
});

test("the number of concurrent jobs is limited", async () => {
  const { opened, open } = door();
  const backgroundJobs = new BackgroundJobs(logged().log, 2);
  expect([1, 2, 3].map(() => backgroundJobs.run("waits", () => opened))).toEqual([true, true, false]);
  open();
  await backgroundJobs.settled();
  expect(backgroundJobs.run("again", async () => {})).toBe(true);
  await backgroundJobs.settled();
});

test("stopping waits for running jobs, aborts them after the grace period, and accepts no more", async () => {
  const backgroundJobs = new BackgroundJobs(logged().log);
  const { opened, open } = door();
  let isDone = false;
  backgroundJobs.run("ends by itself", async () => {
    await opened;
    isDone = true;
  });
  const stopped = backgroundJobs.stop(60_000);
  open();
  await stopped;
  expect(isDone).toBe(true);
  expect(backgroundJobs.run("late", async () => {})).toBe(false);

  const others = new BackgroundJobs(logged().log);
  let reason: unknown;
  others.run("ends when told", async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    reason = signal.reason;
  });
  await others.stop(10);
  expect(String(reason)).toContain("the process stops");
});
