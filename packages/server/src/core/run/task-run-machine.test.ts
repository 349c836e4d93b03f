import { isFinal, phases, statuses } from "@millrace/contract/status.ts";
import { describe, expect, it } from "vitest";
import { pairOf } from "./state-machine.ts";
import { nextTaskRun, type TaskRunStateName, taskRunEndings, taskRunEvents, taskRunMachine, taskRunStates } from "./task-run-machine.ts";

const statusOf = (state: TaskRunStateName) => pairOf(state).status;

describe("the task run machine", () => {
  it("has a cell for every state and event, and every cell leads to a state or is refused", () => {
    expect(Object.keys(taskRunMachine)).toEqual([...taskRunStates]);
    for (const state of taskRunStates) {
      expect(Object.keys(taskRunMachine[state])).toEqual([...taskRunEvents]);
      for (const event of taskRunEvents) expect([...taskRunStates, "refused"]).toContain(taskRunMachine[state][event]);
    }
  });

  it("leads where the table says, and throws where it refuses", () => {
    for (const state of taskRunStates) {
      for (const event of taskRunEvents) {
        const next = taskRunMachine[state][event];
        if (next !== "refused") expect(nextTaskRun(pairOf(state), event)).toEqual(pairOf(next));
        else expect(() => nextTaskRun(pairOf(state), event)).toThrow(`a task run that is ${state} does not take the event "${event}"`);
      }
    }
  });

  it("takes no event in a pair that no task run may have", () => {
    for (const status of statuses) {
      for (const phase of phases) {
        if ((taskRunStates as readonly string[]).includes(`${status}/${phase}`)) continue;
        for (const event of taskRunEvents) expect(() => nextTaskRun({ status, phase }, event)).toThrow();
      }
    }
  });

  it("ends a task run with the status that is wanted", () => {
    for (const [status, event] of Object.entries(taskRunEndings)) {
      const state = status === "skipped" ? "notstarted/pending" : "running/running";
      expect(taskRunMachine[state][event]).toBe(`${status}/completed`);
    }
  });

  it.each([
    ["becomeReady", { "notstarted/pending": "ready/pending" }],
    ["skip", { "notstarted/pending": "skipped/completed" }],
    ["claim", { "ready/pending": "ready/queued" }],
    ["start", { "ready/pending": "running/running", "ready/queued": "running/running" }],
    ["wait", { "running/running": "waiting/running", "waiting/running": "waiting/running" }],
    ["wake", { "waiting/running": "ready/pending" }],
    ["retryLater", { "running/running": "waiting/running", "waiting/running": "waiting/running" }],
    ["lose", { "ready/queued": "ready/pending", "running/running": "ready/pending" }],
    ["succeed", { "running/running": "succeeded/completed", "waiting/running": "succeeded/completed" }],
    ["fail", { "ready/queued": "failed/completed", "running/running": "failed/completed", "waiting/running": "failed/completed" }],
    ["timeOut", { "running/running": "timedout/completed", "waiting/running": "timedout/completed" }],
    [
      "invalidate",
      {
        "notstarted/pending": "invalid/completed",
        "ready/pending": "invalid/completed",
        "ready/queued": "invalid/completed",
        "running/running": "invalid/completed",
        "waiting/running": "invalid/completed",
      },
    ],
    [
      "cancel",
      {
        "notstarted/pending": "skipped/completed",
        "ready/pending": "cancelled/completed",
        "ready/queued": "cancelled/completed",
        "running/running": "cancelled/completed",
        "waiting/running": "cancelled/completed",
      },
    ],
  ] as const)("%s leads exactly so: %j", (event, expected) => {
    const taken = taskRunStates.map((state) => [state, taskRunMachine[state][event]] as const).filter(([, next]) => next !== "refused");
    expect(Object.fromEntries(taken)).toEqual(expected);
  });

  it("lets nothing leave a state that is final, and lets everything else be cancelled", () => {
    for (const state of taskRunStates) {
      const over = isFinal(statusOf(state));
      for (const event of taskRunEvents) if (over) expect(taskRunMachine[state][event]).toBe("refused");
      expect(taskRunMachine[state].cancel === "refused").toBe(over);
    }
  });

  it("reaches every state from the first", () => {
    const found = new Set<TaskRunStateName>(["notstarted/pending"]);
    for (const state of found) for (const next of Object.values(taskRunMachine[state])) if (next !== "refused") found.add(next);
    expect([...found].sort()).toEqual([...taskRunStates].sort());
  });
});
