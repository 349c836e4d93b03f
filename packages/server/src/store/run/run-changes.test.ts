import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { transaction } from "../database/transaction.ts";
import { applyRunChanges } from "./run-changes.ts";
import { findResults, lockRuns } from "./run-states.ts";

const { sql } = await testDatabase();
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
  givenBack: 1,
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
