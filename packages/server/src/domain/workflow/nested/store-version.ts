import type { Queryable } from "../../../store/database/database.ts";
import {
  insertVersionTasks,
  insertWorkflowVersion,
  type NewWorkflowVersion,
  type UsedTaskVersion,
  type WorkflowVersionHead,
} from "../../../store/workflow/workflow-versions.ts";
import { saveNested } from "./save-nested.ts";

type Version = Omit<NewWorkflowVersion, "workflowId" | "nesting">;

/** Stores a version of a locked or new workflow, with what is nested in it. @param used absent: the caller writes them */
export async function storeVersion(
  db: Queryable,
  { team }: { team: { id: string } },
  workflow: { id: string; displayName: string },
  version: Version,
  used: readonly UsedTaskVersion[] = [],
): Promise<WorkflowVersionHead> {
  const inner = await saveNested(db, { team, author: version.author, workflow }, version.document);
  const row = await insertWorkflowVersion(db, team.id, { workflowId: workflow.id, ...version, nesting: inner && { inner } });
  await insertVersionTasks(db, team.id, row.id, used);
  return row;
}
