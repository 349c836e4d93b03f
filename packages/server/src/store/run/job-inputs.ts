import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Status } from "@millrace/contract/status.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import type { Layers, RunResult } from "../../core/run/run-state.ts";
import type { Queryable } from "../database/database.ts";

/** What claimed attempts need from their runs before they are passed to an executor. */
export interface JobRun {
  teamId: string;
  id: string;
  workflowId: string;
  workflowVersionId: string;
  taskVersionIds: string[];
  layers: Layers;
  secrets: Uint8Array | null;
  /** For steps without an image, from the setting when the run was submitted; null: there was none. */
  defaultImage: string | null;
  workspaces: WorkflowWorkspace[];
  debug: boolean;
  /** Its own workflow at the end. */
  lineage: Lineage;
  traceparent: string | null;
  teamName: string;
  /** The team's part of the right to the network `host`. */
  isTeamAllowedHost: boolean;
  /** The same for steps with privileges. */
  isTeamAllowedPrivileged: boolean;
}

export async function listJobRuns(db: Queryable, keys: readonly { teamId: string; runId: string }[]): Promise<JobRun[]> {
  return db<JobRun[]>`
    select run.team_id as "teamId", run.id, run.workflow_id as "workflowId", run.workflow_version_id as "workflowVersionId",
           run.task_version_ids as "taskVersionIds", run.layers, run.secrets, run.default_image as "defaultImage", run.workspaces, run.debug,
           lineage_after(run.lineage, run.workflow_id) as lineage, run.traceparent,
           team.name as "teamName", team.allows_host_network as "isTeamAllowedHost", team.allows_privileged as "isTeamAllowedPrivileged"
    from run join team on team.id = run.team_id
    where run.id = any((select ${[...new Set(keys.map((key) => key.runId))]}::uuid[])::uuid[]) and (run.team_id = any(${[...new Set(keys.map((key) => key.teamId))]})) is true`;
}

export interface NodeValues {
  runId: string;
  node: number;
  status: Status;
  results: RunResult[];
  /** Of the node's own task run: the list of a forEach. */
  params: { name: string; value: unknown }[];
}

/** Results and parameters of nodes: what other nodes' parameters refer to, and the lists that items come from. */
export async function listNodeValues(
  db: Queryable,
  wanted: readonly { teamId: string; runId: string; node: number }[],
): Promise<NodeValues[]> {
  if (wanted.length === 0) return [];
  return db<NodeValues[]>`
    select t.run_id as "runId", t.node, t.status, t.results, t.params
    from (select * from unnest(${wanted.map((one) => one.teamId)}::uuid[], ${wanted.map((one) => one.runId)}::uuid[],
        ${wanted.map((one) => one.node)}::int[]) as u(team_id, run_id, node) limit ${wanted.length}) w
    cross join lateral (
      select q.run_id, q.node, q.status, q.results, q.params from task_run q
      where q.team_id = w.team_id and q.run_id = w.run_id and q.node = w.node and q.item is null order by q.item limit (select null::bigint)) t`;
}
