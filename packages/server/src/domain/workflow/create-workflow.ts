import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { quotasInForce } from "../../core/team/quota.ts";
import type { Trial } from "../../core/workflow/plan.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { lockTeam } from "../../store/team/teams.ts";
import { findProtection, findTeamProtection, setProtection } from "../../store/workflow/protections.ts";
import { copyWorkflowTests } from "../../store/workflow/workflow-tests.ts";
import { copyVersionTasks } from "../../store/workflow/workflow-versions.ts";
import {
  countWorkflows,
  findWorkflow,
  insertWorkflow,
  listTakenNames,
  type WorkflowHead,
  type WorkflowRow,
} from "../../store/workflow/workflows.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { storeVersion } from "./nested/store-version.ts";
import { type PreparedVersion, prepareVersion } from "./prepare-version.ts";
import { readWorkflow } from "./read-workflow.ts";
import type { SaveContext } from "./save-context.ts";
import { newHead, reasonOf } from "./workflow-head.ts";
import { duplicateName, toWorkflowName } from "./workflow-name.ts";

/**
 * Creates a workflow in its first version.
 * @throws WORKFLOW_NON_UNIQUE_NAME, QUOTA_EXCEEDED, and the errors of a document that can't run
 */
export async function createWorkflow(db: Queryable, context: SaveContext, input: WorkflowInput): Promise<WorkflowRow> {
  const name = toWorkflowName(input.name);
  if (await findWorkflow(db, context.team.id, name)) throw nameTaken(name);
  const head = newHead(input, name);
  const prepared = await prepareVersion(db, context, name, input);
  await lockWorkflowQuota(db, context.team);
  const first = await firstHead(db, context, head);
  const created = await insertNewWorkflow(db, context, { name, head: first.head, prepared, reason: reasonOf(input.changelog, 1) });
  if (!created) throw nameTaken(name);
  return created;
}

/** If all workflows of the team are protected, a new workflow is inactive: activating it is a change that needs an approval. */
export async function firstHead(
  db: Queryable,
  { team }: Pick<SaveContext, "team">,
  head: WorkflowHead,
): Promise<{ head: WorkflowHead; isProtected: boolean }> {
  const isProtected = (await findTeamProtection(db, team.id)) !== undefined;
  return { head: isProtected ? { ...head, status: "inactive" } : head, isProtected };
}

export function nameTaken(name: string): AppError {
  return new AppError("WORKFLOW_NON_UNIQUE_NAME", [name, "taken"]);
}

/**
 * Makes sure that the team may have one more workflow, and that no other transaction takes it before this one ends: the team is locked
 * first and counted after, in a new statement.
 */
export async function lockWorkflowQuota(db: Queryable, team: { id: string; name: string }): Promise<void> {
  const row = await lockTeam(db, team.id);
  if (row === undefined) throw new AppError("TEAM_INVALID_REF", [team.name]);
  const { maxWorkflowCount } = quotasInForce(row, await readSettings(db));
  const count = await countWorkflows(db, team.id);
  if (count >= maxWorkflowCount) throw quotaExceeded("maxWorkflowCount", { team: team.name, used: count, max: maxWorkflowCount });
}

interface NewWorkflow {
  name: string;
  head: WorkflowHead;
  prepared: PreparedVersion;
  reason: string;
  trial?: Trial;
}

/** Undefined if the name is taken. */
export async function insertNewWorkflow(db: Queryable, context: SaveContext, workflow: NewWorkflow): Promise<WorkflowRow | undefined> {
  const { team, author } = context;
  const { name, head, prepared, reason, trial } = workflow;
  const row = await insertWorkflow(db, team.id, name, head);
  if (row === undefined) return undefined;
  await storeVersion(db, context, row, { version: 1, document: prepared.document, author, reason, trial }, prepared.used);
  return row;
}

const maxDisplayNameLength = 256;

/**
 * A copy of the latest version, with its secrets (they open anywhere in the team's workflows) and its triggers, as an active
 * workflow of its own in version 1, under the first free name. Names are looked for with the team locked, so two copies at once
 * get two names. Its tests come along, with how they ended. Tokens and schedules stay with the original. The copy of a protected workflow
 * is protected, since it has the same secrets, and is not active where the original is not.
 */
export async function duplicateWorkflow(
  db: Queryable,
  { team, author }: { team: { id: string; name: string }; author: string },
  ref: string,
): Promise<WorkflowRow> {
  const { workflow, version } = await readWorkflow(db, team.id, ref);
  await lockWorkflowQuota(db, team);
  const name = duplicateName(workflow.name, await listTakenNames(db, team.id, workflow.name.slice(0, 100)));
  const displayName = `${workflow.displayName.slice(0, maxDisplayNameLength - 12)} (duplicate)`;
  const protection = await findProtection(db, team.id, workflow.id);
  const { head } = await firstHead(db, { team }, { ...workflow, displayName, status: protection ? workflow.status : "active" });
  const copy = await insertWorkflow(db, team.id, name, head);
  if (copy === undefined) throw nameTaken(name);
  const reason = `Duplicate of ${workflow.name} version ${version.version}`;
  const row = await storeVersion(db, { team }, copy, { version: 1, document: version.document, author, reason });
  await copyVersionTasks(db, team.id, version.id, row.id);
  await copyWorkflowTests(
    db,
    team.id,
    { workflowId: workflow.id, versionId: version.id },
    { workflowId: copy.id, versionId: row.id, author },
  );
  if (protection) await setProtection(db, team.id, copy.id, protection);
  return copy;
}
