import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { makeJob, run, type Scenario, startJob, startUntil } from "./scenario.ts";

/** Prints a last word on TERM; otherwise waits forever. What the shell itself prints about a child that was ended is discarded. */
const polite = "exec 2>/dev/null; trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 1000 & wait $!; done";
/** Ignores TERM, and so does a child that left its session. */
const stubborn = "trap '' TERM; setsid sh -c \"trap '' TERM; while :; do sleep 1000; done\" & echo ready; while :; do sleep 1000; done";

/** How steps are stopped from outside. */
export const stopScenarios: Scenario[] = [
  {
    name: "a cancelled task gets TERM and may say a last word",
    async check(bench) {
      const { handle, finished } = await startUntil(bench, makeJob([{ name: "wait", script: polite }, { script: "echo no" }]), "ready");
      handle.stop("cancelled", 10_000);
      const { outcome, texts } = await finished;
      expect(outcome).toMatchObject({ status: "cancelled", reason: "Cancelled", message: 'cancelled while step "wait" ran' });
      expect(texts()).toEqual(["ready", "bye"]);
    },
  },
  {
    name: "a task that ignores TERM ends after the grace period with all its processes",
    async check(bench) {
      const { handle, finished } = await startUntil(bench, makeJob(stubborn), "ready");
      const startedAt = performance.now();
      handle.stop(bench.promises.endsOnShutdown ? "shutdown" : "cancelled", 300);
      handle.stop("cancelled", 60_000);
      const { outcome, lines } = await finished;
      const tookMs = performance.now() - startedAt;
      const message = bench.promises.endsOnShutdown
        ? 'the worker was stopped while step "step-1" ran'
        : 'cancelled while step "step-1" ran';
      expect(outcome).toMatchObject({ status: "cancelled", message });
      expect(tookMs).toBeGreaterThan(290);
      expect(tookMs).toBeLessThan(5_000);
      expect(lines.filter(({ stream }) => stream !== "system").map(({ text }) => text)).toEqual(["ready"]);
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "a second stop with less grace makes it sooner",
    async check(bench) {
      const { handle, finished } = await startUntil(bench, makeJob(stubborn), "ready");
      handle.stop("cancelled", 60_000);
      handle.stop("cancelled", 0);
      expect((await finished).outcome.status).toBe("cancelled");
    },
  },
  {
    name: "a deadline ends the task as timed out, with its results",
    async check(bench) {
      // A container or a pod can take seconds to start on a busy machine.
      const seconds = bench.promises.endsOnShutdown ? 1.5 : 6;
      const job = makeJob([{ name: "slow", script: 'printf half > "$RESULTS_PATH/r"; sleep 1000' }], {
        timeoutMs: seconds * 1_000,
        results: [{ name: "r" }],
      });
      const { outcome } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "timedout", reason: "DeadlineExceeded", results: [{ name: "r", value: "half" }] });
      expect(outcome.message).toBe(`not finished after ${seconds} s; stopped while step "slow" ran`);
    },
  },
  {
    name: "a deadline that has passed already starts nothing",
    async check(bench) {
      const { outcome, lines } = await run(bench, makeJob("echo no", { timeoutMs: 0 }));
      expect([outcome.status, lines]).toEqual(["timedout", []]);
      expect(outcome.message).toContain("before its first step began");
    },
  },
  {
    name: "the time-out of a step ends the task and names the step",
    async check(bench) {
      const { outcome, texts } = await run(
        bench,
        makeJob([{ name: "slow", script: "sleep 1000", timeoutMs: 300, onError: "continue" }, { script: "echo no" }]),
      );
      expect(outcome).toMatchObject({
        status: "timedout",
        reason: "DeadlineExceeded",
        message: 'step "slow" was stopped: not finished after its 0.3 s',
      });
      // A shell whose command ended before the signal reached the shell itself prints that.
      expect(texts().filter((text) => text !== "Terminated")).toEqual([]);
    },
  },
  {
    name: "a cancel is heard in every phase, and leaves nothing",
    async check(bench) {
      const seen = new Set<string>();
      for (let turns = 0; turns < 60; turns += 4) {
        const handle = startJob(bench, makeJob([{ script: "true" }, { script: "true" }]), () => undefined);
        for (let turn = 0; turn < turns * turns; turn++) await nextTurn();
        handle.stop("cancelled", 0);
        const { status, reason } = await handle.done;
        seen.add(status);
        expect(`${status} ${reason}`).toMatch(/^(cancelled Cancelled|succeeded Succeeded)$/);
      }
      expect(seen).toContain("cancelled");
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "a stop after the end changes nothing",
    async check(bench) {
      const handle = startJob(bench, makeJob("true"), () => undefined);
      const before = await handle.done;
      handle.stop("cancelled", 0);
      expect(await handle.done).toBe(before);
      expect(before.status).toBe("succeeded");
    },
  },
];
