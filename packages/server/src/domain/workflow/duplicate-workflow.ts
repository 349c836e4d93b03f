import type { Queryable } from "../../store/database/database.ts";
import { copyVersionTasks, insertWorkflowVersion } from "../../store/workflow/workflow-versions.ts";
import { insertWorkflow, listTakenNames, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { holdRoomForWorkflow, nameTaken } from "./create-workflow.ts";
import { readWorkflow } from "./read-workflow.ts";
import { duplicateName } from "./workflow-name.ts";

const maxDisplayNameLength = 256;

/**
 * A copy of the latest version, with its secrets (they open anywhere in the team's workflows) and its triggers, as an active
 * workflow of its own in version 1, under the first free name. Names are looked for with the team held, so two copies at once
 * get two names. Tokens and schedules stay with the original.
 */
export async function duplicateWorkflow(
  db: Queryable,
  { team, author }: { team: { id: string; name: string }; author: string },
  ref: string,
): Promise<WorkflowRow> {
  const { workflow, version } = await readWorkflow(db, team.id, ref);
  await holdRoomForWorkflow(db, team);
  const name = duplicateName(workflow.name, await listTakenNames(db, team.id, workflow.name.slice(0, 100)));
  const displayName = `${workflow.displayName.slice(0, maxDisplayNameLength - 12)} (duplicate)`;
  const copy = await insertWorkflow(db, team.id, name, { ...workflow, displayName, status: "active" });
  if (copy === undefined) throw nameTaken(name);
  const reason = `Duplicate of ${workflow.name} version ${version.version}`;
  const row = await insertWorkflowVersion(db, team.id, { workflowId: copy.id, version: 1, document: version.document, author, reason });
  await copyVersionTasks(db, team.id, version.id, row.id);
  return copy;
}
