import { randomBytes } from "node:crypto";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { WorkflowProblem } from "@millrace/contract/workflow/workflow-problem.ts";
import type { WorkflowTryRequest } from "@millrace/contract/workflow/workflow-try.ts";
import { AppError, type ErrorDetail } from "../../../base/error/app-error.ts";
import type { Trial } from "../../../core/workflow/plan.ts";
import { decisionFaults, scopeOfTrial, type TrialScope, trialFaults } from "../../../core/workflow/trial-scope.ts";
import { maxTrialMinutes, trialPrefix } from "../../../core/workflow/try-name.ts";
import type { AuditRecord } from "../../../store/audit/audit.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { findProtectionInForce } from "../../../store/workflow/protections.ts";
import type { RecordedRun } from "../../run/record-run.ts";
import type { RunContext } from "../../run/run-context.ts";
import { submitRun } from "../../run/submit-run.ts";
import { insertNewWorkflow, nameTaken } from "../create-workflow.ts";
import { warningsOf } from "../find-problems.ts";
import { prepareVersion } from "../prepare-version.ts";
import { refuseFaults } from "../refuse-faults.ts";
import { type CheckMode, type SaveContext, saving } from "../save-context.ts";
import { newHead } from "../workflow-head.ts";
import { findDrafted } from "./drafted-workflow.ts";
import { paramsOfTrial, pinsOfTrial, type SourceRun } from "./trial-values.ts";

interface TryInput {
  /** Name or id; for a draft also a name that doesn't exist yet. */
  workflow: string;
  /** Absent: the saved workflow is tried. */
  draft?: WorkflowInput | undefined;
  request: Pick<WorkflowTryRequest, "version" | "params" | "only" | "upTo" | "pinned">;
  fromRun?: SourceRun | undefined;
  /** The caller could change that by a save, so an inactive workflow may be tried. */
  mayChange: boolean;
  initiatedBy: string | null;
  traceparent?: string | undefined;
  audit: (runId: string, workflowName: string) => AuditRecord;
}

interface TriedWorkflow {
  run: RecordedRun;
  trial: Trial;
  /** Warnings, as a save would give them. */
  warnings: WorkflowProblem[];
}

/**
 * Runs a workflow as its author has it on the screen, or a part of it. The run is one of a workflow that is made for it (as in
 * domain/task/try-task.ts): it has no triggers, is in no list, and is cleared away with its run (store/workflow/hidden-workflows.ts). Which
 * tasks do not run stands beside its document, so that every process that continues with the run knows it. All of it is one transaction.
 *
 * The part that is tried has to obey the rules of a save; the rest may be unfinished.
 *
 * @throws VALIDATION_FAILED about the request, what a save of the draft or a submission would be refused for
 */
export async function tryWorkflow(tx: Transaction, save: SaveContext, runs: RunContext, input: TryInput): Promise<TriedWorkflow> {
  const { request, fromRun, initiatedBy, traceparent, audit } = input;
  const { team } = save;
  const drafted = await findDrafted(tx, team.id, input.workflow, input.draft, request.version ?? undefined);
  const { name, whole, stored, version } = drafted;
  if (drafted.isArchived) throw new AppError("WORKFLOW_ARCHIVED", [name]);
  if (!input.mayChange && drafted.status !== "active") throw new AppError("WORKFLOW_NOT_ACTIVE", [name]);
  refuseFaults(trialFaults(whole, request));
  const scope = scopeOfTrial(whole, request);
  const pins = await pinsOfTrial(tx, team.id, request, scope, fromRun);
  const { tasks: _, triggers: __, changelog: ___, annotations: ____, status: _____, ...shared } = whole;
  const tried: WorkflowInput = { ...shared, name, tasks: scope.input.tasks ?? [], params: scope.input.params ?? [] };
  // A draft that would not be published without an approval gets none of the saved workflow's secrets.
  const isProtected = drafted.id !== undefined && (await findProtectionInForce(tx, team.id, drafted.id)) !== undefined;
  const kept = isProtected ? undefined : stored;
  const prepared = await withPlacesOf(scope, () => prepareVersion(tx, save, name, tried, kept && { stored: kept }, modeOf(scope)));
  refuseFaults(decisionFaults(prepared.document.tasks, pins));
  const hidden = trialPrefix + randomBytes(8).toString("hex");
  const displayName = whole.displayName || name;
  const head = { ...newHead(tried, name), displayName: `Trial of ${displayName}`.slice(0, 256) };
  const trial: Trial = {
    workflow: name,
    ...(input.draft === undefined && version !== undefined && { version }),
    ...(request.only != null && { only: request.only }),
    ...(request.upTo != null && { upTo: request.upTo }),
    pins,
  };
  const workflow = await insertNewWorkflow(tx, save, { name: hidden, head, prepared, reason: `To try the workflow ${name}`, trial });
  if (workflow === undefined) throw nameTaken(hidden);
  const params = paramsOfTrial(request.params ?? [], prepared.document.params, fromRun);
  const run = await submitRun(tx, runs, {
    ...{
      teamId: team.id,
      workflow: workflow.id,
      request: { params, timeout: Math.min(tried.timeout || maxTrialMinutes, maxTrialMinutes) },
      start: false,
      initiatedBy,
      traceparent,
      trigger: "manual",
    },
    audit: (id) => audit(id, name),
    trialOf: { name, displayName },
  });
  return { run, trial, warnings: warningsIn(save, scope) };
}

/** Problems of tasks that only provide their results don't prevent a trial. */
function modeOf({ standIns, input }: TrialScope): CheckMode {
  if (standIns.size === 0) return saving;
  const isOfStandIn = ({ path }: ErrorDetail) => standIns.has(input.tasks?.[indexIn(path) ?? -1]?.name ?? "");
  return {
    ...saving,
    refuse(error) {
      const others = error.details?.filter((detail) => !isOfStandIn(detail));
      if (others?.length === 0) return;
      throw others === undefined ? error : aboutOthers(error, others);
    },
  };
}

/** The same of these problems alone: the message names the first of them, and not one that is left out. */
function aboutOthers(error: AppError, others: ErrorDetail[]): AppError {
  const [was] = error.details ?? [];
  const [first] = others;
  const values = error.values.map((value) => (value === was?.message ? first?.message : value));
  return new AppError(error.reason, values, { details: others, cause: error });
}

/** Problems of what is tried, with the places that they have in the whole. */
async function withPlacesOf<T>(scope: TrialScope, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    const details = error.details.map((detail) => ({ ...detail, path: placeInWhole(scope, detail.path) }));
    const values = error.values.map((value) =>
      typeof value === "string" && value.startsWith("body /")
        ? value.replace(/^body (\S+)/, (_, path: string) => `body ${placeInWhole(scope, path)}`)
        : value,
    );
    throw new AppError(error.reason, values, { details, cause: error });
  }
}

function warningsIn(save: SaveContext, scope: TrialScope): WorkflowProblem[] {
  return warningsOf(save, scope.input)
    .filter(({ node }) => node === undefined || !scope.standIns.has(node))
    .map((warning) => (warning.path === undefined ? warning : { ...warning, path: placeInWhole(scope, warning.path) }));
}

function placeInWhole({ places }: TrialScope, path: string): string {
  return path.replace(/^\/tasks\/(\d+)/, (same, index: string) =>
    places[Number(index)] === undefined ? same : `/tasks/${places[Number(index)]}`,
  );
}

function indexIn(path: string): number | undefined {
  const index = /^\/tasks\/(\d+)/.exec(path)?.[1];
  return index === undefined ? undefined : Number(index);
}
