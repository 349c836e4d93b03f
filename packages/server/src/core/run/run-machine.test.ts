import { isRunOver, runCan } from "@millrace/contract/run-rules.ts";
import { type Phase, phases, type Status, statuses } from "@millrace/contract/status.ts";
import { describe, expect, it } from "vitest";
import { nextRunState, type RunStateName, runEvents, runMachine, runMayBecome, runStateOf, runStates } from "./run-machine.ts";

const parts = (state: RunStateName) => state.split("/") as [Status, Phase];

describe("the run machine", () => {
  it("has a cell for every state and event, and every cell leads to a state or is refused", () => {
    expect(Object.keys(runMachine)).toEqual([...runStates]);
    for (const state of runStates) {
      expect(Object.keys(runMachine[state])).toEqual([...runEvents]);
      for (const event of runEvents) expect([...runStates, "refused"]).toContain(nextRunState(state, event));
    }
  });

  it("knows the state of every legal pair, and no other", () => {
    for (const status of statuses) {
      for (const phase of phases) {
        const state = runStateOf({ status, phase });
        expect(state).toBe((runStates as readonly string[]).includes(`${status}/${phase}`) ? `${status}/${phase}` : undefined);
      }
    }
  });

  it.each([
    ["accept", ["notstarted/pending"]],
    ["claim", ["ready/pending"]],
    ["release", ["ready/queued"]],
    ["start", ["notstarted/pending", "ready/pending", "ready/queued"]],
    ["succeed", ["running/running"]],
    ["fail", ["running/running"]],
    ["timeOut", ["running/running"]],
    ["invalidate", ["notstarted/pending", "ready/pending", "ready/queued", "running/running"]],
    ["cancel", ["notstarted/pending", "ready/pending", "ready/queued", "running/running"]],
    ["finalize", runStates.filter((state) => state.endsWith("/completed"))],
    ["retry", runStates.filter((state) => /\/(completed|finalized)$/.test(state))],
  ] as const)("takes %s in exactly these states: %j", (event, states) => {
    expect(runStates.filter((state) => nextRunState(state, event) !== "refused")).toEqual(states);
  });

  it("never changes the status of a run that is over", () => {
    for (const state of runStates.filter((name) => /\/(completed|finalized)$/.test(name))) {
      for (const event of runEvents) {
        const next = nextRunState(state, event);
        if (next !== "refused") expect(parts(next)[0]).toBe(parts(state)[0]);
      }
    }
  });

  it("reaches every state from the first, and knows what a run may still become", () => {
    const first = { status: "notstarted", phase: "pending" } as const;
    const running = { status: "running", phase: "running" } as const;
    const failed = { status: "failed", phase: "completed" } as const;
    for (const state of runStates) {
      const [status, phase] = parts(state);
      expect(runMayBecome(first, { status, phase })).toBe(true);
      expect(runMayBecome({ status, phase }, { status, phase })).toBe(true);
      expect(runMayBecome({ status, phase }, first)).toBe(state === "notstarted/pending");
    }
    expect(runMayBecome(running, failed)).toBe(true);
    expect(runMayBecome(failed, running)).toBe(false);
    expect(runMayBecome(failed, { status: "succeeded", phase: "completed" })).toBe(false);
    expect(runMayBecome(running, { status: "waiting", phase: "running" })).toBe(false);
  });

  it("says the same as the rules that the browser uses", () => {
    for (const state of runStates) {
      const [status, phase] = parts(state);
      const run = { status, phase };
      expect(runCan.start(run)).toBe(nextRunState(state, "start") !== "refused");
      expect(runCan.cancel(run)).toBe(nextRunState(state, "cancel") !== "refused");
      expect(runCan.retry(run)).toBe(nextRunState(state, "retry") !== "refused");
      expect(runCan.finalize(run)).toBe(nextRunState(state, "finalize") !== "refused");
      expect(runCan.rerunFailed(run)).toBe(isRunOver(run) && status !== "succeeded");
    }
  });
});
