import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../../test/kit/run-simulator.ts";
import { activityOf } from "../run-activity.ts";
import { newTaskState, type TaskState } from "../run-state.ts";
import { ItemList } from "./item-list.ts";

const { plan } = new RunSimulator(workflow(node("each", "script")));

function item(index: number): TaskState {
  return newTaskState(plan, 1, `id-${index}`, index);
}

const states: Partial<TaskState>[] = [
  { status: "ready", executor: "process" },
  { status: "ready", executor: "process", waitKind: "quota" },
  { status: "running", executor: "process" },
  { status: "waiting", waitKind: "action" },
  { status: "waiting", waitKind: "sleep" },
  { status: "succeeded", waitKind: null },
  { status: "failed", waitKind: null },
];

/** The counts of the list, computed from its items for comparison. */
function recount(tasks: readonly TaskState[]) {
  const open = tasks.filter(({ status }) => status !== "succeeded" && status !== "failed");
  const inProgress = open.filter(({ status }) => status !== "notstarted");
  return {
    open: open.length,
    inProgress: inProgress.length,
    openItems: open,
    itemsInProgress: inProgress,
    firstUntouched: tasks.find(({ status }) => status === "notstarted"),
    hasActions: tasks.some(({ waitKind }) => waitKind === "action"),
    activity: activityOf(tasks),
  };
}

function countsOf(list: ItemList<TaskState>): ReturnType<typeof recount> {
  const { open, inProgress, hasActions } = list;
  return {
    ...{ open, inProgress, hasActions, activity: activityOf([], [list]), firstUntouched: list.firstUntouched() },
    ...{ openItems: [...list.openItems()], itemsInProgress: [...list.itemsInProgress()] },
  };
}

describe("the items of a forEach node", () => {
  const length = 300;
  const write = fc.record({
    index: fc.nat(length - 1),
    state: fc.constantFrom(...states),
    how: fc.constantFrom("put", "amend", "copy", "compact"),
  });

  test("are counted as they are written, and no copy sees what is written to another", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
        const tasks = Array.from({ length }, (_, index) => item(index));
        let [list, expected] = [ItemList.of(tasks), [...tasks]];
        const earlier: { list: ItemList<TaskState>; expected: TaskState[] }[] = [];
        for (const { index, state, how } of writes) {
          const next = { ...(expected[index] as TaskState), ...state };
          if (how === "copy" || how === "compact") {
            earlier.push({ list, expected });
            list =
              how === "copy"
                ? list.copy()
                : list.compacted(
                    (task) => task,
                    () => 1,
                  );
            expected = [...expected];
          }
          list.put(next);
          if (how === "amend") list.amend(next, { reason: "amended" });
          expected[index] = next;
          expect([...list]).toEqual(expected);
          expect(countsOf(list)).toEqual(recount(expected));
        }
        for (const one of earlier) {
          expect([...one.list]).toEqual(one.expected);
          expect(countsOf(one.list)).toEqual(recount(one.expected));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("are compacted and weighed once after each was written", () => {
    const looked: number[] = [];
    const compact = (task: TaskState): TaskState => {
      looked.push(task.item as number);
      return { ...task, results: undefined };
    };
    const first = ItemList.of(Array.from({ length }, (_, index) => item(index))).compacted(compact, () => 2);
    expect(looked).toHaveLength(length);
    expect(first.weight).toBe(2 * length);
    looked.length = 0;
    const second = first.copy();
    second.put({ ...item(290), status: "succeeded" });
    expect(second.compacted(compact, () => 2).weight).toBe(2 * length);
    expect(looked.every((index) => index >= 256)).toBe(true);
    expect(looked.length).toBeLessThan(length / 2);
  });
});
