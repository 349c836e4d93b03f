import { isFinal, type Phase, phases, type Status, statuses } from "@millrace/contract/status.ts";
import { describe, expect, it } from "vitest";
import {
  nextTaskRunState,
  type TaskRunStateName,
  taskRunEvents,
  taskRunMachine,
  taskRunMayBecome,
  taskRunStateOf,
  taskRunStates,
} from "./task-run-machine.ts";

const statusOf = (state: TaskRunStateName) => state.split("/")[0] as Status;

describe("the task run machine", () => {
  it("has a cell for every state and event, and every cell leads to a state or is refused", () => {
    expect(Object.keys(taskRunMachine)).toEqual([...taskRunStates]);
    for (const state of taskRunStates) {
      expect(Object.keys(taskRunMachine[state])).toEqual([...taskRunEvents]);
      for (const event of taskRunEvents) expect([...taskRunStates, "refused"]).toContain(nextTaskRunState(state, event));
    }
  });

  it("knows the state of every legal pair, and no other", () => {
    for (const status of statuses) {
      for (const phase of phases) {
        const state = taskRunStateOf({ status, phase });
        expect(state).toBe((taskRunStates as readonly string[]).includes(`${status}/${phase}`) ? `${status}/${phase}` : undefined);
      }
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
    const taken = taskRunStates.map((state) => [state, nextTaskRunState(state, event)] as const).filter(([, next]) => next !== "refused");
    expect(Object.fromEntries(taken)).toEqual(expected);
  });

  it("lets nothing leave a state that is final, and lets everything else be cancelled", () => {
    for (const state of taskRunStates) {
      const over = isFinal(statusOf(state));
      for (const event of taskRunEvents) if (over) expect(nextTaskRunState(state, event)).toBe("refused");
      expect(nextTaskRunState(state, "cancel") === "refused").toBe(over);
    }
  });

  it("reaches every state from the first, and knows what a task run may still become", () => {
    const pairOf = (state: TaskRunStateName) => ({ status: statusOf(state), phase: state.split("/")[1] as Phase });
    for (const state of taskRunStates) {
      expect(taskRunMayBecome(pairOf("notstarted/pending"), pairOf(state))).toBe(true);
      expect(taskRunMayBecome(pairOf(state), pairOf(state))).toBe(true);
      for (const next of taskRunStates)
        if (isFinal(statusOf(state)) && next !== state) expect(taskRunMayBecome(pairOf(state), pairOf(next))).toBe(false);
    }
    expect(taskRunMayBecome(pairOf("running/running"), pairOf("ready/pending"))).toBe(true);
    expect(taskRunMayBecome(pairOf("ready/pending"), pairOf("notstarted/pending"))).toBe(false);
    expect(taskRunMayBecome(pairOf("running/running"), { status: "running", phase: "queued" })).toBe(false);
  });
});
