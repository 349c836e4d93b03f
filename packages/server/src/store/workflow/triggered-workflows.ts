import type { Trigger } from "@millrace/contract/inbound/trigger.ts";
import type { Queryable } from "../database/database.ts";
import type { WorkflowReference } from "../team/directory.ts";

/**
 * The target workflows of an inbound event. Its sender names no team, so these statements go over all teams within the caller's reach,
 * which policy/teams.ts determines.
 */

/**
 * Workflows of that name, whichever team has them; at most `limit` (index workflow_of_any_team).
 * @param teamIds only of these teams; undefined: of all
 */
export async function findWorkflowsByName(
  db: Queryable,
  name: string,
  teamIds: readonly string[] | undefined,
  limit: number,
): Promise<WorkflowReference[]> {
  return db<WorkflowReference[]>`
    select w.team_id as "teamId", w.id, w.name from workflow w join team on team.id = w.team_id
    where w.name = ${name.toLowerCase()} and w.deleted_at is null and team.deleted_at is null
      ${teamIds === undefined ? db`` : db`and w.team_id = any(${[...teamIds]})`}
    order by w.id limit ${limit}`;
}

export interface TriggeredWorkflow extends WorkflowReference {
  trigger: Trigger;
}

/**
 * Workflows that may be started by events, by the codehost or by the end of a run (the partial indexes workflow_on_event,
 * workflow_on_codehost and workflow_on_workflow), in the order in which a batch locks. Of those for the end of a run also inactive
 * ones: that they are not started is recorded.
 * @param teamIds of these teams; undefined: of all
 */
export async function listTriggeredWorkflows(
  db: Queryable,
  kind: "event" | "codehost" | "workflow",
  teamIds: readonly string[] | undefined,
): Promise<TriggeredWorkflow[]> {
  return db<TriggeredWorkflow[]>`
    select w.team_id as "teamId", w.id, w.name, w.triggers -> ${kind}::text as trigger
    from workflow w join team on team.id = w.team_id
    where ${isTriggerOn(db, kind)}
      and w.deleted_at is null and team.deleted_at is null
      ${kind === "workflow" ? db`` : db`and w.status = 'active' and team.status = 'active'`}
      ${teamIds === undefined ? db`` : db`and w.team_id = any(${[...teamIds]})`}
    order by w.team_id, w.id`;
}

/** Spelt out, so that the planner finds the partial index. */
function isTriggerOn(db: Queryable, kind: "event" | "codehost" | "workflow") {
  switch (kind) {
    case "event":
      return db`w.triggers -> 'event' ->> 'enabled' = 'true'`;
    case "codehost":
      return db`w.triggers -> 'codehost' ->> 'enabled' = 'true'`;
    case "workflow":
      return db`w.triggers -> 'workflow' ->> 'enabled' = 'true'`;
  }
}

/**
 * Active workflows that webhooks may start, by name.
 * @param reach of these teams, and only this workflow; undefined: all
 */
export async function listWebhookWorkflows(
  db: Queryable,
  reach: { teamIds: readonly string[] | undefined; workflowId: string | undefined },
  limit: number,
): Promise<WorkflowReference[]> {
  return db<WorkflowReference[]>`
    select w.team_id as "teamId", w.id, w.name from workflow w join team on team.id = w.team_id
    where w.triggers -> 'webhook' ->> 'enabled' = 'true' and w.deleted_at is null and w.status = 'active'
      and team.deleted_at is null and team.status = 'active'
      ${reach.teamIds === undefined ? db`` : db`and w.team_id = any(${[...reach.teamIds]})`}
      ${reach.workflowId === undefined ? db`` : db`and w.id = ${reach.workflowId}`}
    order by w.name, w.id limit ${limit}`;
}
