import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { transaction } from "../database/transaction.ts";
import { applyRunChanges } from "./run-changes.ts";
import { findResults, lockRuns } from "./run-states.ts";

let sent: readonly unknown[] = [];
const { sql } = await testDatabase({
  onStatement: (text, parameters) => {
    if (text.includes("apply_run_changes")) sent = parameters;
  },
});
const kit = engineKit(sql);

async function load(run: RunState): Promise<RunState> {
  const { states } = await transaction(sql, (tx) => lockRuns(tx, [run]));
  return states[0]!;
}

/** No member has the value of a new row: otherwise a member that no statement writes or reads would not be noticed. */
const fullState = {
  status: "waiting",
  phase: "running",
  reason: "ScriptFailed",
  statusMessage: "the script exited with code 3",
  attempt: 4,
  retriesUsed: 3,
  losses: 2,
  releasedLosses: 1,
  decisionValue: "yes",
  waitKind: "event",
  waitKey: "orders",
  waitDetail: "since noon",
  executor: "container",
  workerId: randomUUID(),
  readyAt: Date.UTC(2026, 0, 1),
  startedAt: Date.UTC(2026, 0, 2),
  dueAt: Date.UTC(2026, 0, 3),
  deadlineAt: Date.UTC(2026, 0, 4),
  params: [{ name: "a", value: 1 }],
  results: [{ name: "b", value: 2 }],
  warnings: [{ reference: "c", why: "d" }],
} satisfies Partial<TaskState>;

test.each([
  { name: "waits", more: {} },
  { name: "has ended", more: { status: "failed", phase: "completed", endedAt: Date.UTC(2026, 0, 5) } as const },
])("a task run that $name is read as it was written, changed or new", async ({ name, more }) => {
  const teamId = await kit.team();
  const workflowName = name.replaceAll(" ", "-");
  await kit.workflow(teamId, workflowName, workflow(node("only", "sleep", ["start"])));
  const submitted = await kit.submit(teamId, workflowName);
  const plan = await kit.context.plans.load(sql, submitted);
  const before = await load(submitted);
  const fresh = before.nodes.find((task) => task.name === "only")!;
  const changed: TaskState = { ...fresh, ...fullState, ...more };
  const created: TaskState = { ...changed, id: randomUUID(), item: 0, name: "only[0]", timeoutMinutes: 7 };
  const change = {
    before,
    after: { ...before, nodes: before.nodes.map((task) => (task === fresh ? changed : task)) },
    updated: [{ before: fresh, after: changed }],
    created: [created],
    ...{ attempts: [], actions: [], signals: [], releasedLocks: [], hasMore: false },
  };
  expect([...(await applyRunChanges(sql, [{ plan, change, drained: [] }]))]).toEqual([submitted.id]);

  const read = await load(submitted);
  // Parameters are loaded for waiting task runs; results and warnings never.
  const params = changed.status === "waiting" ? changed.params : undefined;
  const unloaded = { params, results: undefined, warnings: undefined };
  expect(read.nodes[changed.node]).toEqual({ ...changed, ...unloaded });
  expect([...(read.items.get(changed.node) ?? [])]).toEqual([{ ...created, ...unloaded }]);
  const results = await findResults(sql, teamId, [changed.id, created.id], 1_000_000);
  expect(results).toEqual(new Map([changed.id, created.id].map((id) => [id, changed.results])));
  for (const row of (await kit.tasks(teamId, submitted.id)).filter((task) => task.node === changed.node)) {
    expect(row).toMatchObject({ params: changed.params, results: changed.results, warnings: changed.warnings, executor: "container" });
  }
});

/** The first task run has another message; nothing of the run itself changes. */
async function changeOfAStep(name: string) {
  const teamId = await kit.team();
  await kit.workflow(teamId, name, workflow(node("only", "sleep", ["start"])));
  const submitted = await kit.submit(teamId, name);
  const plan = await kit.context.plans.load(sql, submitted);
  const before = await load(submitted);
  const [first] = before.nodes;
  const updated = [{ before: first!, after: { ...first!, statusMessage: "changed" } }];
  const change = {
    before,
    after: before,
    updated,
    created: [],
    ...{ attempts: [], actions: [], signals: [], releasedLocks: [], hasMore: false },
  };
  return { plan, change, drained: [] };
}

const rowOf = async ({ id }: RunState) => {
  const [row] = await sql<{ row: Record<string, unknown> & { state_version: number }; message: string | null }[]>`
    select to_json(r) as row, (select t.status_message from task_run t where t.run_id = r.id order by t.node limit 1) as message
    from run r where r.id = ${id}`;
  return row!;
};

test("a step in the middle of a run writes the version of its run, and sends nothing else of it", async () => {
  const planned = await changeOfAStep("middle");
  const { before } = planned.change;
  const { row } = await rowOf(before);
  expect([...(await applyRunChanges(sql, [planned]))]).toEqual([before.id]);
  const document = JSON.parse(String(sent[0]));
  expect(document).toMatchObject({ sameRun: before.id, sameTeam: before.teamId, sameVersion: before.stateVersion });
  expect(document.runs).toBeUndefined();
  expect(await rowOf(before)).toEqual({ row: { ...row, state_version: row.state_version + 1 }, message: "changed" });
});

test("it is refused as a whole where the run has a newer version, or belongs to another team", async () => {
  const planned = await changeOfAStep("refused");
  const { before } = planned.change;
  const unchanged = await rowOf(before);
  const seen = (different: Partial<RunState>) => {
    const run = { ...before, ...different };
    return { ...planned, change: { ...planned.change, before: run, after: run } };
  };
  for (const different of [{ stateVersion: before.stateVersion - 1 }, { teamId: randomUUID() }]) {
    expect([...(await applyRunChanges(sql, [seen(different)]))]).toEqual([]);
    expect(await rowOf(before)).toEqual(unchanged);
  }
});

test("a run of which more than the version changes is written as a row", async () => {
  const planned = await changeOfAStep("row");
  const after = { ...planned.change.before, warningCount: 3 };
  await applyRunChanges(sql, [{ ...planned, change: { ...planned.change, after } }]);
  expect(JSON.parse(String(sent[0]))).toMatchObject({ runs: [{ id: after.id, warning_count: 3 }] });
  expect((await rowOf(after)).row).toMatchObject({ warning_count: 3 });
});
