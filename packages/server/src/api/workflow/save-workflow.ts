import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { pauseIfLarge } from "../../base/process/slices.ts";
import type { FormerNames } from "../../core/task/former-tasks.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { applyWorkflow } from "../../domain/workflow/apply-workflow.ts";
import { warningsOf } from "../../domain/workflow/find-problems.ts";
import { type ReadWorkflow, readVersion } from "../../domain/workflow/read-workflow.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { testNewVersion } from "../../domain/workflow/tests/saved-tests.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { Context } from "../endpoint.ts";
import { requireMatch } from "../etag.ts";
import { proposeWorkflow } from "./propose-workflow.ts";
import { auditedWorkflow, viewWorkflow, workflowTag } from "./workflow.view.ts";

type SaveRequest = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "team" | "principal" | "keyring" | "headers" | "services" | "audit" | "auditNothing" | "afterCommit"
>;

/** How it is written: the differences between the workflow and its canvas. */
export interface SaveOptions {
  replace: boolean;
  formerNames?: FormerNames;
  /** A document that changes nothing is not written. */
  keepsSame?: boolean;
  /** Tests are run after other documents have been saved, too: the caller has to call `testSaved`. */
  testsLater?: boolean;
}

export interface SavedWorkflow {
  read: ReadWorkflow;
  before: ReadWorkflow | undefined;
  /** Nothing was written. */
  isSame: boolean;
  /** Runs the tests of what was saved. @throws WORKFLOW_TESTS_FAILED if they have to pass */
  testSaved: () => Promise<void>;
  /** It was proposed instead of saved; `read` is what would be saved. */
  proposed?: { actionId: string; refusal: AppError };
  /** For the answer. */
  warnings: Pick<WorkflowInput, "warnings">;
}

/** What writing a workflow and writing its canvas have in common: the document is applied, and the audit record created. */
export async function saveWorkflow(request: SaveRequest, input: WorkflowInput, options: SaveOptions): Promise<SavedWorkflow> {
  const { db, team, principal, keyring, headers, services, audit } = request;
  const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
  const { workflow, before, isSame, proposal } = await applyWorkflow(db, context, input, {
    ...options,
    check(present) {
      if (principal.workflowId !== undefined && present?.workflow.id !== principal.workflowId) {
        throw new AppError("PERMISSION_DENIED", ["a workflow token can change only its own workflow"]);
      }
      requireMatch(headers["if-match"], present && workflowTag(present));
    },
  });
  if (proposal !== undefined) {
    const base = before ?? (await readVersion(db, team.id, workflow, workflow.latestVersion));
    if (before === undefined) audit({ kind: "workflow", id: workflow.id, name: workflow.name, after: auditedWorkflow(viewWorkflow(base)) });
    const proposed = await proposeWorkflow(request, base, proposal);
    return { ...proposed, before, isSame: false, testSaved: async () => {}, warnings: viewWarnings(context, input) };
  }
  if (isSame && before !== undefined)
    return { read: before, before, isSame, testSaved: async () => {}, warnings: viewWarnings(context, input) };
  const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
  await pauseIfLarge(read.version.document.tasks.length);
  const testSaved = () => testNewVersion(db, services.runs, context, read, before);
  if (!options.testsLater) await testSaved();
  audit({
    kind: "workflow",
    id: workflow.id,
    name: workflow.name,
    before: before && auditedWorkflow(viewWorkflow(before)),
    after: auditedWorkflow(viewWorkflow(read)),
  });
  wakeForTriggers(request, workflow);
  return { read, before, isSame, testSaved, warnings: viewWarnings(context, input) };
}

/** A trigger may have been turned on: what was idle checks immediately instead of in a quarter of a minute. */
export function wakeForTriggers(
  { services, afterCommit }: Pick<SaveRequest, "services" | "afterCommit">,
  { triggers }: ReadWorkflow["workflow"],
): void {
  if (triggers.schedule.enabled) afterCommit(() => services.bus.wake(channels.schedules));
  if (triggers.workflow?.enabled) afterCommit(() => services.bus.wake(channels.events));
}

/** The member of a response; none if there are no warnings. */
export function viewWarnings(
  context: Parameters<typeof warningsOf>[0],
  input: Pick<WorkflowInput, "tasks">,
): Pick<WorkflowInput, "warnings"> {
  const warnings = warningsOf(context, input);
  return warnings.length > 0 ? { warnings } : {};
}
