import type { Nesting } from "../../core/workflow/nested-workflow.ts";
import type { PlanDocument, PlanTask, Trial } from "../../core/workflow/plan.ts";
import type { Queryable } from "../database/database.ts";

interface PlanRow {
  document: PlanDocument;
  trial: Trial | null;
  nesting: Nesting | null;
}

/** A workflow version as saved, including replaced versions. */
export async function findPlanDocument(db: Queryable, teamId: string, workflowVersionId: string): Promise<PlanRow | undefined> {
  const [row] = await db<PlanRow[]>`
    select document, trial, nesting from workflow_version where team_id = ${teamId} and id = ${workflowVersionId}`;
  return row;
}

/** Task versions by id, including replaced ones: a run keeps the ones that it was submitted with. */
export async function listPlanTasks(db: Queryable, taskVersionIds: readonly string[]): Promise<PlanTask[]> {
  return db<PlanTask[]>`
    select t.id, v.id as "versionId", v.version, t.name, t.type, v.display_name as "displayName", v.spec, t.annotations,
           t.team_id is null as "isGlobal"
    from task_version v join task t on t.id = v.task_id
    where v.id = any(${taskVersionIds as string[]})`;
}
