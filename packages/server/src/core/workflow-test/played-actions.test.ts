import type { WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { expect, test } from "vitest";
import { node, RunSimulator, workflow } from "../../../test/kit/run-simulator.ts";
import { engineTaskTypes } from "../../tasks/registry.ts";
import { countedIds } from "./in-memory-run.ts";
import { playWhole } from "./play-test.ts";

type Nodes = ConstructorParameters<typeof RunSimulator>[0];

function play(nodes: Nodes, written: Partial<WorkflowTestInput>) {
  const { plan, state } = new RunSimulator(nodes);
  return playWhole({ plan, state, types: engineTaskTypes, test: { name: "it", ...written }, ids: countedIds(1_000_000) });
}

const urgent = { approverGroupId: "editors", escalateAfter: 30, escalateTo: "leads" };
const asking = (values: object = urgent) =>
  workflow(
    node("ask", "approval", ["start"], { params: Object.entries(values).map(([name, value]) => ({ name, value })) }),
    node("ship", "script", [{ from: "ask", on: "success" }]),
  );
const escalated = { escalated: true, escalatedTo: "leads", escalatedAfter: "30m" };
const [begunAt, minute] = ["2030-01-01T00:00:00.000Z", 60_000];
const atMinute = (minutes: number) => new Date(Date.parse(begunAt) + minutes * minute).toISOString();

test.each<[string, NonNullable<WorkflowTestInput["events"]>[number], object, number]>([
  ["before the escalation", { group: "editors", after: "29m" }, { escalated: false }, 29],
  ["by the other group, as soon as it can", { group: "leads", by: "Lee" }, { ...escalated, results: { approvalUserName: "Lee" } }, 30],
  ["by the other group later", { group: "leads", after: "2h" }, escalated, 120],
  ["by the first group after the escalation", { group: "editors", after: "1h" }, escalated, 60],
  ["by a person of no group", { after: "31m" }, escalated, 31],
])("skips the escalation of an action that is decided %s", (_when, event, expected, minutes) => {
  const result = play(asking(), {
    mocks: { ship: {} },
    events: [{ task: "ask", ...event }],
    expect: { tasks: { ask: expected }, duration: { min: `${minutes}m`, max: `${minutes}m` } },
  });
  expect(result).toMatchObject({ outcome: "passed", failures: [] });
  expect(result.run?.tasks[0]).toMatchObject({ name: "ask", results: { approvalDate: atMinute(minutes) } });
  expect(result.run?.tasks[0]?.escalatedMs).toBe(minutes < 30 ? undefined : 30 * minute);
});

test("says of an escalation that is not as expected what happened", () => {
  const failures = (event: object, expected: object) =>
    play(asking(), { mocks: { ship: {} }, events: [{ task: "ask", ...event }], expect: { tasks: { ask: expected } } }).failures;
  expect(failures({}, escalated)).toEqual([
    { path: "/expect/tasks/ask/escalated", message: expect.stringContaining("was not escalated"), expected: true, actual: false },
    { path: "/expect/tasks/ask/escalatedTo", message: expect.any(String), expected: "leads", actual: null },
    { path: "/expect/tasks/ask/escalatedAfter", message: expect.any(String), expected: "30m", actual: null },
  ]);
  expect(failures({ group: "leads" }, { escalated: false, escalatedTo: "chiefs", escalatedAfter: "10m" })).toMatchObject([
    { path: "/expect/tasks/ask/escalated", expected: false, actual: true },
    { path: "/expect/tasks/ask/escalatedTo", expected: "chiefs", actual: "leads" },
    { path: "/expect/tasks/ask/escalatedAfter", expected: "10m", actual: "30m" },
  ]);
});

test.each<[string, object, object, string]>([
  ["too early", urgent, { group: "leads", after: "10m" }, "/events/0/after is 10m, but members of the group leads can decide only from"],
  ["as another group", urgent, { group: "chiefs" }, "can't decide; the task names editors and, after the escalation, leads"],
  ["as a group of none", {}, { group: "leads" }, "/events/0/group names the group leads, but the task names no approver group"],
])("refuses a person who decides %s", (_case, values, event, problem) => {
  const result = play(asking(values), { mocks: { ship: {} }, events: [{ task: "ask", ...event }] });
  expect(result).toMatchObject({ outcome: "failed", problem: expect.stringContaining(problem) });
});

test("escalates no action whose deadline comes first, and shows the escalation of one that nobody decides", () => {
  const timeout = { mocks: { ship: {} }, expect: { status: "failed", tasks: { ask: { status: "timedout", ...escalated } } } } as const;
  expect(play(asking({ ...urgent, deadline: 60 }), timeout)).toMatchObject({ outcome: "passed" });
  const nodes = asking().map((one) => (one.name === "ask" ? { ...one, timeout: 30 } : one));
  const early = { ...timeout, expect: { status: "failed", tasks: { ask: { escalated: false } } } } as const;
  expect(play(nodes, early)).toMatchObject({ outcome: "passed" });
  expect(play(nodes, { ...early, events: [{ task: "ask", group: "leads" }] })).toMatchObject({
    problem: expect.stringContaining("its deadline comes before the escalation"),
  });
  expect(play(asking(), {})).toMatchObject({
    problem: expect.stringContaining("waits forever"),
    run: { tasks: [{ name: "ask", escalatedTo: "leads" }, {}] },
  });
});

test("distinguishes the escalations of the actions of items and attempts", () => {
  const nodes = workflow(
    node("ask", "approval", ["start"], {
      forEach: { items: [1, 2] },
      retry: { count: 1, backoffMs: 0, factor: 1 },
      params: Object.entries(urgent).map(([name, value]) => ({ name, value })),
    }),
  );
  const result = play(nodes, {
    events: [
      { task: "ask[0]", group: "leads", decision: "rejected" },
      { task: "ask[0]", group: "editors" },
      { task: "ask[1]", group: "leads" },
    ],
    expect: { tasks: { "ask[0]": { attempts: 2, escalated: false }, "ask[1]": { attempts: 1, ...escalated } } },
  });
  expect(result).toMatchObject({ outcome: "passed", failures: [] });
});
