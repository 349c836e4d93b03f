import type { AppError } from "../../base/error/app-error.ts";
import { DocumentDiffs } from "../../core/apply/diff-documents.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { channels, placeOf } from "../../domain/run/report-changes.ts";
import { type Proposal, proposeVersion, waitsForApproval } from "../../domain/workflow/publish/propose-version.ts";
import { secretsOf } from "../../domain/workflow/publish/required-approvals.ts";
import type { ReadWorkflow } from "../../domain/workflow/read-workflow.ts";
import type { Transaction } from "../../store/database/database.ts";
import { changesSecrets } from "../apply/apply-context.ts";
import type { Context } from "../endpoint.ts";
import { viewWorkflow } from "./workflow.view.ts";

/** The draft of a protected workflow as it would be read after it is published. */
export function asPublished(
  before: ReadWorkflow,
  { head, document, reason }: Pick<Proposal, "head" | "document" | "reason">,
): ReadWorkflow {
  const version = before.version.version + 1;
  const workflow = { ...before.workflow, ...head, latestVersion: version };
  return { workflow, version: { ...before.version, version, document, reason }, latestTasks: before.latestTasks };
}

type ProposeRequest = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "team" | "principal" | "services" | "audit" | "auditNothing" | "afterCommit"
>;

/** Submits a version for approval, with its changes. @returns the version as it would be, and the response to the save */
export async function proposeWorkflow(
  { db, team, principal, services, audit, auditNothing, afterCommit }: ProposeRequest,
  before: ReadWorkflow,
  proposal: Proposal,
): Promise<{ read: ReadWorkflow; proposed: { actionId: string; refusal: AppError } }> {
  const read = asPublished(before, proposal);
  const proposer = { id: principal.id, name: principal.name };
  const changes = describeChanges(before, read);
  const { actionId, isNew } = await proposeVersion(db, team.id, { ...proposal, workflow: before.workflow, proposer, changes });
  const proposed = { actionId, refusal: waitsForApproval(before.workflow, proposal.required, actionId) };
  if (!isNew) {
    auditNothing();
    return { read, proposed };
  }
  const { id, name } = before.workflow;
  // Open inboxes show it; the request itself only counts as a change of the workflow.
  afterCommit(() => services.bus.wake(channels.teams, `${placeOf(team.id)} action`));
  const secrets = secretsOf(proposal.required);
  const after = { action: actionId, changes, ...(secrets.length > 0 && { secrets }) };
  audit({ kind: "workflow", id, name, action: "workflow/propose", after });
  return { read, proposed };
}

/** As a unified diff without secrets. It says what it leaves out. */
export function describeChanges(before: ReadWorkflow, after: ReadWorkflow): string {
  const shown = (read: ReadWorkflow) => shownDocument("Workflow", viewWorkflow(read));
  const { diff = "", isDiffCut } = new DocumentDiffs().diff(`Workflow ${before.workflow.name}`, shown(before), shown(after));
  const more = [
    ...(isDiffCut ? ["The changes are longer than is shown here: read the whole draft before you approve it."] : []),
    ...(changesSecrets(before.version.document, after.version.document) ? ["A secret changes, which is not shown."] : []),
  ];
  return [diff.trimEnd(), ...more].filter((part) => part !== "").join("\n\n") || "Nothing that is shown.";
}
