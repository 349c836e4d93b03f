import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { pauseIfLarge } from "../../base/process/slices.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import type { FormerNames } from "../../core/task/former-tasks.ts";
import { isNestedName } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../../store/database/database.ts";
import { lockTeam } from "../../store/team/teams.ts";
import { closeProposals } from "../../store/workflow/proposals.ts";
import { retireWorkflowVersion } from "../../store/workflow/workflow-versions.ts";
import { lockWorkflow, updateWorkflow, type WorkflowHead, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { followWorkflow } from "../schedule/follow-workflow.ts";
import { refusePinned } from "./calls/refuse-pinned.ts";
import { firstHead, insertNewWorkflow, lockWorkflowQuota, nameTaken } from "./create-workflow.ts";
import { storeVersion } from "./nested/store-version.ts";
import { prepareVersion } from "./prepare-version.ts";
import type { Proposal } from "./publish/propose-version.ts";
import { isApprovedFor, requiredApprovals } from "./publish/required-approvals.ts";
import { type ReadWorkflow, readVersion } from "./read-workflow.ts";
import type { SaveContext } from "./save-context.ts";
import { changedHead, newHead, reasonOf } from "./workflow-head.ts";
import { toWorkflowName } from "./workflow-name.ts";

export interface ApplyOptions {
  /** The latest version is replaced and keeps its number; otherwise a new version is created. */
  replace: boolean;
  /** Called with the current state, under its lock; undefined if there is none. Throws to refuse. */
  check(before: ReadWorkflow | undefined): void;
  /** How renamed tasks are recognized. */
  formerNames?: FormerNames | undefined;
  /**
   * A document that changes nothing is not written. So a new workflow gets the status of the document, since the next apply would change
   * it.
   */
  keepsSame?: boolean | undefined;
}

export interface AppliedWorkflow {
  workflow: WorkflowRow;
  before: ReadWorkflow | undefined;
  /** Nothing was written, because nothing would have changed. */
  isSame: boolean;
  /**
   * The workflow is protected, or uses a protected secret: the caller has to propose the version. Nothing was written, except for the first
   * version of a new workflow, whose runs are refused until the next one is approved.
   */
  proposal?: Proposal;
}

/**
 * Creates the team's workflow of that name, or writes a new version of it, so that it matches the document. Concurrent writes are
 * serialized, because each locks the workflow (or, if there is none yet, the team) until its commit.
 */
export async function applyWorkflow(
  db: Queryable,
  context: SaveContext,
  input: WorkflowInput,
  options: ApplyOptions,
): Promise<AppliedWorkflow> {
  const name = toWorkflowName(input.name);
  const present = await lockWorkflow(db, context.team.id, name);
  if (present && isNestedName(present.name)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [input.name]);
  if (present) return writeVersion(db, context, present, input, options);
  options.check(undefined);
  const head = newHead(input, name);
  const prepared = await prepareVersion(db, context, name, input);
  await lockTeam(db, context.team.id);
  const raced = await lockWorkflow(db, context.team.id, name);
  if (raced) return writeVersion(db, context, raced, input, options);
  await lockWorkflowQuota(db, context.team);
  const { isProtected, ...first } = await firstHead(db, context, head);
  const created = await insertNewWorkflow(db, context, { name, head: first.head, prepared, reason: reasonOf(input.changelog, 1) });
  if (!created) throw nameTaken(name);
  const required = await requiredApprovals(db, context.team.id, created.id, prepared);
  const isAsked = isProtected ? head.status === "active" : required.length > 0;
  if (!isAsked) return { workflow: created, before: undefined, isSame: false };
  const proposal = { required, head, ...prepared, reason: reasonOf(input.changelog, 1) };
  return { workflow: created, before: undefined, isSame: false, proposal };
}

async function writeVersion(
  db: Queryable,
  context: SaveContext,
  workflow: WorkflowRow,
  input: WorkflowInput,
  { replace, check, formerNames, keepsSame }: ApplyOptions,
): Promise<AppliedWorkflow> {
  const { team, author } = context;
  const before = await readVersion(db, team.id, workflow, workflow.latestVersion);
  check(before);
  if (workflow.archivedAt !== null) throw new AppError("WORKFLOW_ARCHIVED", [workflow.name]);
  const head = changedHead(input, workflow, replace);
  const { document, used } = await prepareVersion(db, context, workflow.name, input, { stored: before.version.document, formerNames });
  const required = await requiredApprovals(db, team.id, workflow.id, { document, used });
  const isProtected = required.length > 0;
  await pauseIfLarge(document.tasks.length);
  const isSame = isSameJson([head, document], [headOf(workflow), before.version.document]);
  await pauseIfLarge(document.tasks.length);
  // A version that uses a secret without approval is proposed unchanged.
  const isApproved = !isSame || (await isApprovedFor(db, team.id, before.version.id, required));
  if (isSame && isApproved && (keepsSame || isProtected)) return { workflow, before, isSame };
  if (replace && !isProtected) await refusePinned(db, team.id, workflow, workflow.latestVersion);
  const version = replace && !isProtected ? workflow.latestVersion : workflow.latestVersion + 1;
  const reason = reasonOf(input.changelog, version, before.version);
  if (isProtected) return { workflow, before, isSame, proposal: { required, head, document, used, reason } };
  if (replace) await retireWorkflowVersion(db, team.id, workflow.id, version);
  await storeVersion(db, context, { ...workflow, ...head }, { version, document, author, reason }, used);
  await updateWorkflow(db, team.id, workflow.id, head, version);
  await followWorkflow(db, context, { ...workflow, ...head }, document.params);
  // Proposals that are still open from when it was protected, by itself or through a secret.
  await closeProposals(db, team.id, workflow.id, `Version ${version} was saved, and this one was made from version ${version - 1}`);
  return { workflow: { ...workflow, ...head, latestVersion: version }, before, isSame: false };
}

function headOf({ displayName, status, icon, description, labels, annotations, triggers, requiresTests }: WorkflowHead): WorkflowHead {
  return { displayName, status, icon, description, labels, annotations, triggers, requiresTests };
}
