import { randomBytes } from "node:crypto";
import type { TaskType } from "@millrace/contract/status.ts";
import { EventBus } from "../../src/base/process/event-bus.ts";
import { createLog } from "../../src/base/process/log.ts";
import { Keyring } from "../../src/base/secret/keyring.ts";
import type { AttemptOutcome } from "../../src/core/run/finish-task.ts";
import type { RunState } from "../../src/core/run/run-state.ts";
import type { DocumentNode } from "../../src/core/workflow/plan.ts";
import type { WorkflowDocument } from "../../src/core/workflow/workflow-document.ts";
import { createRunContext } from "../../src/domain/run/create-run-context.ts";
import type { RunContext } from "../../src/domain/run/run-context.ts";
import { type SubmitInput, submitRun } from "../../src/domain/run/submit-run.ts";
import { saveNested } from "../../src/domain/workflow/nested/save-nested.ts";
import { RunDriver } from "../../src/engine/run-driver.ts";
import type { Database } from "../../src/store/database/database.ts";
import { transaction } from "../../src/store/database/transaction.ts";
import { findRun, type RunRow } from "../../src/store/run/runs.ts";
import { listTaskRuns, type TaskRunRow } from "../../src/store/run/task-runs.ts";
import { type Claim, claimTaskRuns, insertWorker, type NewWorker } from "../../src/store/worker/workers.ts";
import { engineTaskTypes } from "../../src/tasks/registry.ts";

/** Quotas of a team; omitted ones are so large that they never apply. */
export interface TestQuotas {
  maxConcurrentRuns?: number;
  maxWorkflowRunMonthly?: number;
}

/** An engine on a real database without the HTTP side: definitions go in as rows, runs are driven manually. */
export interface EngineKit {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  driver: RunDriver;
  team(quotas?: TestQuotas): Promise<string>;
  /** Saves a workflow as given, without checking its graph. */
  workflow(teamId: string, name: string, nodes: DocumentNode[], more?: Record<string, unknown>): Promise<string>;
  submit(teamId: string, workflow: string, more?: Partial<SubmitInput>): Promise<RunState>;
  run(teamId: string, id: string): Promise<RunRow>;
  tasks(teamId: string, runId: string): Promise<TaskRunRow[]>;
  /** Ticks the driver until it has nothing left to do right now. */
  settle(): Promise<void>;
  /** Registers a worker whose lease lasts for the whole test. */
  worker(fields?: Partial<NewWorker>): Promise<string>;
  /** Claims one ready task run of the team as that worker would; ready task runs of other teams are claimed along the way. */
  claim(workerId: string, teamId: string): Promise<Claim>;
  /** Reports the end of an attempt. */
  end(claim: Claim, outcome?: Partial<AttemptOutcome>): Promise<void>;
}

const usedTypes: TaskType[] = [
  "script",
  "template",
  "decision",
  "approval",
  "manual",
  "eventwait",
  "sleep",
  "acquirelock",
  "releaselock",
  "runworkflow",
  "setwfproperty",
  "setwfstatus",
];

/** @param parts of an app on the same database, if requests and the engine are to interact */
export function engineKit(sql: Database, parts: { context?: RunContext; bus?: EventBus } = {}): EngineKit {
  const keyring = new Keyring([randomBytes(32)]);
  const context = parts.context ?? createRunContext({ keyring, publicUrl: "http://127.0.0.1:8080", types: engineTaskTypes });
  const bus = parts.bus ?? new EventBus();
  const driver = new RunDriver({ sql, context, bus, log: createLog("silent") });
  return {
    sql,
    context,
    bus,
    driver,
    team: (quotas = {}) => insertTeam(sql, quotas),
    workflow: (teamId, name, nodes, more = {}) => insertWorkflow(sql, teamId, name, nodes, more),
    submit: (teamId, workflow, more = {}) =>
      transaction(sql, (tx) => submitRun(tx, context, { teamId, workflow, request: {}, start: false, initiatedBy: "test", ...more })),
    run: async (teamId, id) => (await findRun(sql, teamId, id)) as RunRow,
    tasks: (teamId, runId) => listTaskRuns(sql, teamId, runId),
    async settle() {
      while ((await driver.tick()) === 0);
    },
    worker: (fields = {}) =>
      insertWorker(sql, {
        host: "test",
        pid: 1,
        roles: ["worker"],
        executors: ["process"],
        configured: fields.executors ?? ["process"],
        labels: [],
        slots: 100,
        leaseSeconds: 3600,
        ...fields,
      }),
    async claim(workerId, teamId) {
      for (;;) {
        const [claim] = await claimTaskRuns(sql, workerId, 1, ["process"], []);
        if (!claim) throw new Error("there is no task run to claim");
        if (claim.teamId === teamId) return claim;
      }
    },
    end: async (claim, outcome = {}) => {
      const whole: AttemptOutcome = { status: "succeeded", reason: "Succeeded", message: "", results: [], ...outcome };
      await driver.advance([
        { teamId: claim.teamId, id: claim.runId, events: [{ kind: "ended", taskRunId: claim.id, attempt: claim.attempt, outcome: whole }] },
      ]);
    },
  };
}

async function insertTeam(sql: Database, quotas: TestQuotas): Promise<string> {
  const name = `team-${randomBytes(6).toString("hex")}`;
  const [row] = await sql<{ id: string }[]>`
    insert into team (name, display_name, max_concurrent_runs, max_workflow_run_monthly)
    values (${name}, ${name}, ${quotas.maxConcurrentRuns ?? 1000}, ${quotas.maxWorkflowRunMonthly ?? 1_000_000}) returning id`;
  return (row as { id: string }).id;
}

/** The global task of a type: `kit-<type>`, with one shell step that runs parameter `script`. */
async function ensureTask(sql: Database, type: TaskType): Promise<{ id: string; versionId: string }> {
  const spec = {
    params: [{ name: "script" }],
    results: [],
    ...(type === "script" || type === "template" ? { script: "$(params.script)" } : {}),
  };
  await sql`insert into task (name, type, latest_version) values (${`kit-${type}`}, ${type}, 1) on conflict do nothing`;
  await sql`
    insert into task_version (task_id, version, display_name, spec)
    select t.id, 1, t.name, ${JSON.stringify(spec)}::json from task t
    where t.name = ${`kit-${type}`} and t.team_id is null and not exists (select from task_version v where v.task_id = t.id)`;
  const [row] = await sql<{ id: string; versionId: string }[]>`
    select t.id, v.id as "versionId" from task t join task_version v on v.task_id = t.id where t.name = ${`kit-${type}`} and t.team_id is null`;
  return row as { id: string; versionId: string };
}

async function insertWorkflow(
  sql: Database,
  teamId: string,
  name: string,
  nodes: DocumentNode[],
  more: Record<string, unknown>,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version)
    values (${teamId}, ${name}, ${name}, '{"manual":{"enabled":true}}', 0) returning id`;
  await addVersion(sql, row!.id, nodes, more);
  return row!.id;
}

/** The next version of a workflow, as given. */
export async function addVersion(
  sql: Database,
  workflowId: string,
  nodes: readonly DocumentNode[],
  more: Record<string, unknown> = {},
): Promise<void> {
  const used = usedTypes.filter((type) => nodes.some((node) => node.type === type));
  const document = { ...(await storedDocument(sql, nodes)), ...more };
  const [version] = await sql<{ id: string; teamId: string }[]>`
    with w as (
      update workflow set latest_version = latest_version + 1 where id = ${workflowId} returning id, team_id, latest_version
    )
    insert into workflow_version (team_id, workflow_id, version, document)
    select team_id, id, latest_version, ${JSON.stringify(document)}::json from w returning id, team_id as "teamId"`;
  const { id, teamId } = version!;
  const owner = { team: { id: teamId }, author: "test", workflow: { id: workflowId, displayName: workflowId } };
  const inner = await saveNested(sql, owner, document as WorkflowDocument);
  if (inner) await sql`update workflow_version set nesting = ${JSON.stringify({ inner })}::json where team_id = ${teamId} and id = ${id}`;
  for (const type of used) {
    const task = await ensureTask(sql, type);
    await sql`
      insert into workflow_version_task (team_id, workflow_version_id, task_id, version, task_version_id)
      values (${teamId}, ${id}, ${task.id}, 1, ${task.versionId})`;
  }
}

/** With the tasks of the kit, also inside nested workflows. */
async function storedDocument(sql: Database, nodes: readonly DocumentNode[]): Promise<object> {
  const tasks: object[] = [];
  for (const node of nodes) {
    const nested = node.workflow as { tasks: DocumentNode[] } | undefined;
    const stored: object = { ...node, ...(nested && { workflow: { ...nested, ...(await storedDocument(sql, nested.tasks)) } }) };
    const isMarker = node.type === "start" || node.type === "end";
    if (!isMarker) await ensureTask(sql, node.type);
    tasks.push(isMarker ? stored : { ...stored, taskRef: `kit-${node.type}`, taskVersion: 1 });
  }
  return { tasks, params: [], workspaces: [] };
}
