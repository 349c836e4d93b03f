import type { ResultSpec } from "@millrace/contract/common.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import type { TaskParam } from "@millrace/contract/task/task.ts";
import type { Database } from "../../src/store/database/database.ts";
import { insertTask, insertTaskVersion, updateTask } from "../../src/store/task/tasks.ts";

export interface TaskFields {
  /** Null: a global task. */
  teamId?: string | null;
  name: string;
  type?: TaskType;
  status?: "active" | "inactive";
  /** How many versions it has. */
  versions?: number;
  params?: TaskParam[];
  results?: ResultSpec[];
  /** Of its one step. */
  script?: string;
  image?: string;
}

/** A task for workflows to use, without going through the API. */
export async function makeTask(sql: Database, fields: TaskFields): Promise<string> {
  const { teamId = null, name, type = "template", status = "active", versions = 1, params = [], results = [], script, image } = fields;
  const base = { teamId, name, type, status, verified: false, labels: {}, annotations: {} };
  const id = (await insertTask(sql, base))!;
  for (let version = 1; version <= versions; version++) {
    await insertTaskVersion(sql, id, {
      version,
      displayName: name,
      description: null,
      category: null,
      icon: null,
      spec: { params, results, ...(script !== undefined && { script }), ...(image !== undefined && { image }) },
      document: undefined,
      author: "test",
      reason: "test",
    });
  }
  await updateTask(sql, id, { ...base, latestVersion: versions });
  return id;
}

/** A run of a workflow, with the columns that the rules about workflows use. */
export async function makeRun(
  sql: Database,
  teamId: string,
  workflowId: string,
  phase: "pending" | "running" | "completed",
): Promise<string> {
  const status = { pending: "ready", running: "running", completed: "succeeded" }[phase];
  const started = phase === "pending" ? null : new Date();
  const [row] = await sql<{ id: string }[]>`
    insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      started_at, ended_at, activity, active_since)
    values (${teamId}, ${workflowId}, new_id(), 1, '{}', ${status}, ${phase}, 'manual', '{}', 2, ${started}, ${phase === "completed" ? started : null},
      ${phase === "running" ? "active" : "none"}, ${phase === "running" ? started : null})
    returning id`;
  return row!.id;
}
