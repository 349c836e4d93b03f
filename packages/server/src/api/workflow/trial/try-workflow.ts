import { workflowRun } from "@millrace/contract/run/run.ts";
import { type WorkflowTryRequest, workflowTryRequest } from "@millrace/contract/workflow/workflow-try.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { publishSubmitted } from "../../../domain/run/report-changes.ts";
import { loadSaveContext } from "../../../domain/workflow/save-context.ts";
import { tryWorkflow as run } from "../../../domain/workflow/trial/try-workflow.ts";
import { allows } from "../../../policy/allows.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { presentDraftRequest } from "../../present-body.ts";
import { viewSubmitted, viewTrial } from "../../run/run.view.ts";
import { readDraft, readSourceRun } from "../read-draft.ts";
import { withPlaces } from "../read-workflow-body.ts";
import { workflowBodyLimit, workflowPath } from "../workflow.view.ts";

export const tryWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/try",
  summary: "Try a workflow, or a part of it",
  description:
    "Submits a run of the draft in the request, or of what is saved: of the whole, up to a task, or of one task only. Pinned tasks do not run: they end at once with " +
    "the given status and results. It is checked like a save but creates no version, and the workflow doesn't need to exist; a draft needs workflow/write as well, " +
    "and so do `pinned` and `only`, by which a saved approval could be left out. " +
    "Follow it by the ID of the run, which says `trial`. It is in no list of runs and no statistics, sends no events about runs and tasks, and is deleted with its logs an hour after it ends. " +
    "It counts against the quotas of concurrent and waiting runs. What its tasks do is real, also the runs that they start.",
  tag: "Workflows",
  permission: "workflow/action",
  transaction: "write",
  isNoChange: true,
  idempotent: true,
  bodyLimit: workflowBodyLimit,
  params: workflowPath,
  body: workflowTryRequest,
  presentBody: presentDraftRequest,
  response: workflowRun,
  async handle({ db, team, params, body, headers, principal, keyring, traceparent, services, auditRecord, afterCommit }) {
    const tx = db as Transaction;
    const draft = readDraft(body, headers);
    const mayChange = allows(principal, "workflow/write", team.id);
    const change = draft ? "a draft" : changeIn(body);
    if (change !== undefined && !mayChange)
      throw new AppError("PERMISSION_DENIED", [`trying ${change} needs the permission workflow/write in team ${team.name}`]);
    const fromRun = await readSourceRun(tx, team, body.fromRun, principal);
    const save = await loadSaveContext(tx, team.id, principal.name, keyring, services.runs);
    const input = {
      ...{ workflow: params.workflow, draft: draft?.input, request: body, fromRun, mayChange, initiatedBy: principal.id, traceparent },
      audit: (id: string, name: string) => auditRecord({ kind: "workflowrun", id, name, after: { trialOf: name, ...partOf(body) } }),
    };
    const tried = await withPlaces(draft ?? { locate: (details) => [...details] }, () => run(tx, save, services.runs, input));
    afterCommit(() => publishSubmitted(services, tried.run));
    const warnings = tried.warnings.length > 0 ? { warnings: tried.warnings } : {};
    return { ...viewSubmitted(tried.run.row, principal), trial: { ...viewTrial(tried.trial), ...warnings } };
  },
});

/** A trial skips what precedes a task, which may be an approval, so it needs more than the permission to run the workflow. */
function changeIn({ only, pinned }: WorkflowTryRequest): string | undefined {
  if (only != null) return "one task only";
  return pinned != null && Object.keys(pinned).length > 0 ? "pinned results" : undefined;
}

/** For the audit, because the run itself is soon removed. */
function partOf({ only, upTo, pinned }: WorkflowTryRequest) {
  const names = Object.keys(pinned ?? {});
  return { ...(only != null && { only }), ...(upTo != null && { upTo }), ...(names.length > 0 && { pinned: names }) };
}
