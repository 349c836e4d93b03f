import { isRunOver, runCan } from "@millrace/contract/run/run-rules.ts";
import { phases, statuses } from "@millrace/contract/status.ts";
import { describe, expect, it } from "vitest";
import { nextRun, type RunEventName, type RunStateName, runEndings, runEvents, runMachine, runStates } from "./run-machine.ts";
import { pairOf } from "./state-machine.ts";

const takes = (state: RunStateName, event: RunEventName) => runMachine[state][event] !== "refused";

describe("the run machine", () => {
  it("has a cell for every state and event, and every cell leads to a state or is refused", () => {
    expect(Object.keys(runMachine)).toEqual([...runStates]);
    for (const state of runStates) {
      expect(Object.keys(runMachine[state])).toEqual([...runEvents]);
      for (const event of runEvents) expect([...runStates, "refused"]).toContain(runMachine[state][event]);
    }
  });

  it("leads where the table says, and throws where it refuses", () => {
    for (const state of runStates) {
      for (const event of runEvents) {
        const next = runMachine[state][event];
        if (next === "refused")
          expect(() => nextRun(pairOf(state), event)).toThrow(`a run that is ${state} does not take the event "${event}"`);
        else expect(nextRun(pairOf(state), event)).toEqual(pairOf(next));
      }
    }
  });

  it("takes no event in a pair that no run may have", () => {
    for (const status of statuses) {
      for (const phase of phases) {
        if ((runStates as readonly string[]).includes(`${status}/${phase}`)) continue;
        for (const event of runEvents) expect(() => nextRun({ status, phase }, event)).toThrow();
      }
    }
  });

  it("ends a run with the status that is wanted", () => {
    for (const [status, event] of Object.entries(runEndings)) expect(runMachine["running/running"][event]).toBe(`${status}/completed`);
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
    expect(runStates.filter((state) => takes(state, event))).toEqual(states);
  });

  it("never changes the status of a run that is over", () => {
    for (const state of runStates.filter((name) => /\/(completed|finalized)$/.test(name))) {
      for (const event of runEvents) {
        if (takes(state, event)) expect(nextRun(pairOf(state), event).status).toBe(pairOf(state).status);
      }
    }
  });

  it("reaches every state from the first", () => {
    const found = new Set<RunStateName>(["notstarted/pending"]);
    for (const state of found) for (const next of Object.values(runMachine[state])) if (next !== "refused") found.add(next);
    expect([...found].sort()).toEqual([...runStates].sort());
  });

  it("says the same as the rules that the browser uses", () => {
    for (const state of runStates) {
      const run = pairOf(state);
      expect(runCan.start(run)).toBe(takes(state, "start"));
      expect(runCan.cancel(run)).toBe(takes(state, "cancel"));
      expect(runCan.retry(run)).toBe(takes(state, "retry"));
      expect(runCan.finalize(run)).toBe(takes(state, "finalize"));
      expect(runCan.rerunFailed(run)).toBe(isRunOver(run) && run.status !== "succeeded");
    }
  });
});
