import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { type DeliveryKey, keptWith } from "../../domain/inbound/answer-once.ts";
import { startWorkflow, type TriggerEvent } from "../../domain/inbound/start-triggered.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import { teamsSeenBy } from "../../policy/teams.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isUniqueViolation } from "../../store/database/database-error.ts";
import { isTransaction } from "../../store/database/transaction.ts";
import type { RunRow } from "../../store/run/runs.ts";
import type { WorkflowReference } from "../../store/team/directory.ts";
import type { Context } from "../endpoint.ts";
import { viewSubmitted } from "../run/run.view.ts";

/** So many of the same name are examined, and so many are named in the refusal. */
const maxFound = 100;
const maxNamed = 5;

/**
 * The workflow that a caller without a team in the path refers to: by id, or by a name that only one workflow within the caller's reach
 * has. Workflows out of reach don't exist for the caller. A platform that is authenticated by its signature has no team and names the
 * workflow by id.
 */
export async function findTarget(context: TargetContext, ref: string): Promise<WorkflowReference> {
  const { principal } = context;
  const found = (await candidates(context, ref)).filter(({ id }) => principal.workflowId === undefined || id === principal.workflowId);
  if (found.length === 0) throw new AppError("WORKFLOW_INVALID_REFERENCE", [`${ref.slice(0, 150)} that this credential can read`]);
  if (principal.kind === "integration") return found[0]!;
  const [target, ...others] = found.filter(({ teamId }) => allows(principal, "webhook/action", teamId));
  if (!target) throw new AppError("PERMISSION_DENIED", ["this needs the permission webhook/action in the team of the workflow"]);
  if (others.length > 0) throw ambiguous(ref, [target, ...others]);
  return target;
}

async function candidates({ db, principal, services }: TargetContext, ref: string): Promise<WorkflowReference[]> {
  const { batches } = services.runs;
  if (!isId(ref)) return batches.findWorkflowsByName(db, ref, teamsSeenBy(principal), maxFound);
  const found = await batches.findWorkflowById(db, ref.toLowerCase());
  return found && (principal.kind === "integration" || canSeeTeam(principal, found.teamId)) ? [found] : [];
}

function ambiguous(ref: string, found: readonly WorkflowReference[]): AppError {
  const ids = found.slice(0, maxNamed).map(({ id }) => id);
  const message = `is the name of several workflows in your teams; give the ID of one (${ids.join(", ")}${found.length > maxNamed ? " …" : ""}), or use a token of its team`;
  return new AppError("VALIDATION_FAILED", [`ref ${ref} ${message}`], { details: [{ path: "ref", message }] });
}

type TargetContext = Pick<Context<unknown, unknown, unknown, Queryable>, "db" | "principal" | "services">;

type StartContext = TargetContext & Pick<Context<unknown, unknown, unknown, Queryable>, "afterCommit">;

/**
 * Starts one workflow in two statements without a transaction: reads what a submission needs, then inserts the run together with the
 * response for a repetition. Undefined if the delivery needs the slow path (answer-once.ts), which takes a claim first: it was answered
 * already, is being answered at this moment, or is refused now and may have been answered before. Also undefined within a transaction,
 * which a second response to the same delivery would abort.
 */
export async function startAlone(
  { db, principal, services, afterCommit }: StartContext,
  workflow: WorkflowReference,
  event: TriggerEvent,
  delivery: DeliveryKey | undefined,
): Promise<WorkflowRun | undefined> {
  if (isTransaction(db)) return undefined;
  try {
    const view = (row: RunRow) => viewSubmitted(row, principal);
    const keep = delivery && keptWith(delivery, view);
    const run = await startWorkflow(db, services.runs, workflow, event, keep);
    afterCommit(() => publishSubmitted(services, run));
    return view(run.row);
  } catch (error) {
    if (delivery && (error instanceof AppError || isUniqueViolation(error))) return undefined;
    throw error;
  }
}
