import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { pauseIfLarge } from "../../base/process/slices.ts";
import type { ReferenceContext } from "../../core/parameter/check-references.ts";
import { cutByLimit } from "../../core/run/cut-by-limit.ts";
import { workflowParametersPlace } from "../../core/secret/sealed-places.ts";
import { type FormerNames, newTasksOf } from "../../core/task/former-tasks.ts";
import type { OptIn } from "../../core/task/opt-in.ts";
import { hostNetworkFaults, privilegeProblem } from "../../core/task/opt-in.ts";
import { annotationPrefix } from "../../core/task/tekton/annotations/service-annotations.ts";
import { nestedInput, nestedSecretFaults } from "../../core/workflow/nested-workflow.ts";
import { hasNested, type WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import { findOversizedWorkspace, storageFaults } from "../../core/workflow/workflow-document-checks.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { UsedTaskVersion } from "../../store/workflow/workflow-versions.ts";
import { sealAgain } from "../secret/seal-again.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { checkTriggerWorkflows, checkWorkflowRefs } from "./calls/check-workflow-refs.ts";
import { findCalls } from "./calls/find-calls.ts";
import { checkApproverGroups } from "./check-actions.ts";
import { checkExecutors } from "./check-executors.ts";
import { checkNames } from "./check-names.ts";
import { asGiven, completeDocument, pathsOfTasks, sealComplete } from "./complete-document.ts";
import { nestedMode, outsideOf, secretsOf } from "./nested/nested-mode.ts";
import { refuseFaults } from "./refuse-faults.ts";
import type { ResolvedTasks } from "./resolve-tasks.ts";
import { type CheckContext, type CheckMode, type DocumentWarning, type SaveContext, saving } from "./save-context.ts";
import { warnOfDocument } from "./warn-of-document.ts";

/** A document that can be stored: checked, completed, its tasks found, its secrets encrypted. */
export interface PreparedVersion {
  document: WorkflowDocument;
  used: UsedTaskVersion[];
}

/**
 * Turns what a client wrote into what is stored, and refuses what could not run.
 *
 * @param before the document before this one, which provides secrets that the new one leaves out, and tells how its tasks are recognized by
 * their nodes
 */
export async function prepareVersion(
  db: Queryable,
  context: SaveContext,
  name: string,
  input: WorkflowInput,
  before: { stored?: WorkflowDocument; formerNames?: FormerNames | undefined } = {},
  mode: CheckMode = saving,
): Promise<PreparedVersion> {
  const { team } = context;
  const complete = await checkVersion(db, context, name, input, mode);
  await pauseIfLarge(complete.document.tasks.length);
  const seal = sealAgain(context.keyring, workflowParametersPlace(team.id), before.stored);
  const former = { stored: before.stored, newTasks: newTasksOf(input, before.formerNames) };
  return { document: sealComplete(complete, seal, former), used: complete.used };
}

/** All rules about the versioned part of a workflow: for saves, and for checks without a save. */
export async function checkVersion(
  db: Queryable,
  context: CheckContext,
  name: string,
  input: WorkflowInput,
  mode: CheckMode = saving,
): Promise<ResolvedTasks> {
  const complete = await completeDocument(db, context.team, input, mode);
  await checkComplete(db, context, { name, input, complete }, mode);
  return complete;
}

interface Checked {
  name: string;
  input: WorkflowInput;
  complete: ResolvedTasks;
  /** For a nested workflow: what contains it. */
  whole?: { document: WorkflowDocument; outside: ReferenceContext["outside"] };
}

async function checkComplete(db: Queryable, context: CheckContext, checked: Checked, mode: CheckMode): Promise<void> {
  const { team } = context;
  const { name, input, complete, whole } = checked;
  refuseFaults(storageFaults(complete.document.workspaces, context.storage), mode);
  refuseFaults(networkFaults(complete, input, context.hostNetwork), mode);
  refuseFaults(privilegedTaskFaults(complete, input, context.privileges), mode);
  refuseOversized(context, complete.document, mode);
  await pauseIfLarge(complete.document.tasks.length);
  const document = asGiven(complete.document, input);
  await checkWorkflowRefs(db, team.id, name, document, mode);
  const calls = await findCalls(db, team.id, name, document, whole?.document);
  refuseFaults(
    calls.flatMap(({ faults }) => faults),
    mode,
  );
  await checkTriggerWorkflows(db, team.id, name, input.triggers, mode);
  await checkNames(context, { ...complete, document }, mode, calls, whole?.outside);
  await checkApproverGroups(db, context, { ...complete, document });
  if (whole) refuseFaults(nestedSecretFaults(document, secretsOf(complete)), mode);
  const paths = pathsOfTasks(input);
  await checkExecutors(db, context, complete, paths, mode);
  await pauseIfLarge(document.tasks.length);
  warnOfLimits(context, complete.document, paths);
  await warnOfDocument(context, complete.document, input, paths);
  await checkNested(db, context, checked, mode);
}

/** The same rules for nested workflows; the places of their problems are those in the whole document. */
async function checkNested(
  db: Queryable,
  context: CheckContext,
  { name, input, complete, whole }: Checked,
  mode: CheckMode,
): Promise<void> {
  const document = whole?.document ?? complete.document;
  const told = new Set(context.warnings.map(({ path, message }) => `${path} ${message}`));
  for (const [index, task] of (input.tasks ?? []).entries()) {
    const nested = complete.nested?.get(task.name);
    if (!hasNested(task) || nested === undefined) continue;
    const path = `/tasks/${index}/workflow`;
    const warnings: DocumentWarning[] = [];
    const checked = {
      name,
      input: nestedInput(name, task),
      complete: nested,
      whole: { document, outside: outsideOf(complete.document, task) },
    };
    await checkComplete(db, { ...context, warnings }, checked, nestedMode(mode, path));
    // Unknown members were found with the whole document.
    const placed = warnings.map((warning) => ({ ...warning, path: `${path}${warning.path}` }));
    context.warnings.push(...placed.filter((warning) => !told.has(`${warning.path} ${warning.message}`)));
  }
}

function warnOfLimits(context: CheckContext, document: WorkflowDocument, paths: ReadonlyMap<string, string>): void {
  const { maxTaskTimeoutMinutes, quotas, warnings } = context;
  const found = cutByLimit(document, { maxTaskTimeoutMinutes, maxActiveMinutes: quotas.maxWorkflowRunDuration }, paths);
  warnings.push(...found.map((finding): DocumentWarning => ({ code: "CUT_BY_LIMIT", ...finding })));
}

/** Tasks that request the network of the machine, themselves or by their definition. */
function networkFaults({ document, definitions }: ResolvedTasks, input: WorkflowInput, rights: OptIn): ErrorDetail[] {
  const places = pathsOfTasks(input);
  return document.tasks.flatMap(({ name, annotations }) => {
    const own = annotations[networkAnnotation];
    const path = `${places.get(name) ?? "/tasks"}/${own == null ? "taskRef" : `annotations/${escapePointer(networkAnnotation)}`}`;
    const definition = definitions.get(name);
    const faults = hostNetworkFaults(own ?? definition?.network, rights, path);
    if (own != null) return faults;
    return faults.map(({ message }) => ({ path, message: `names the task ${definition?.name}, whose network ${message}` }));
  });
}

/** Tasks whose steps request privileges by their definition, in the version that is used. */
function privilegedTaskFaults({ document, definitions }: ResolvedTasks, input: WorkflowInput, optIn: OptIn): ErrorDetail[] {
  const places = pathsOfTasks(input);
  return document.tasks.flatMap(({ name }) => {
    const { name: taskName, spec } = definitions.get(name) ?? {};
    const problem = taskName === undefined || spec == null ? undefined : privilegeProblem({ name: taskName, spec }, optIn);
    const path = `${places.get(name) ?? "/tasks"}/taskRef`;
    return problem === undefined ? [] : [{ path, message: `names the task ${taskName}, whose ${problem}` }];
  });
}

const networkAnnotation = `${annotationPrefix}network`;

function refuseOversized({ team, quotas }: Pick<SaveContext, "team" | "quotas">, document: WorkflowDocument, { refuse }: CheckMode): void {
  const oversized = findOversizedWorkspace(document.workspaces, quotas);
  if (oversized) refuse(quotaExceeded(oversized.quota, { team: team.name, used: oversized.asked, max: oversized.maxGi }));
}
