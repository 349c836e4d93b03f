import type { Queryable } from "../database/database.ts";

/** After a version of a global task was replaced: from the next run on, the workflows of all teams use the new row. */
export async function moveTaskUsesOfAllTeams(db: Queryable, fromVersionId: string, toVersionId: string): Promise<void> {
  await db`update workflow_version_task set task_version_id = ${toVersionId} where task_version_id = ${fromVersionId}`;
}
