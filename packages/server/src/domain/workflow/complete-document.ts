import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { inSlices, pauseIfLarge } from "../../base/process/slices.ts";
import type { NewTasks } from "../../core/task/former-tasks.ts";
import { checkGraphSteps, graphError } from "../../core/workflow/checks/check-graph.ts";
import { nestedFaults, nestedInput } from "../../core/workflow/nested-workflow.ts";
import { type DocumentTask, documentOf, documentTask, hasNested, type WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import { documentFaults } from "../../core/workflow/workflow-document-checks.ts";
import { sealDocument } from "../../core/workflow/workflow-document-secrets.ts";
import type { Queryable } from "../../store/database/database.ts";
import { nestedMode } from "./nested/nested-mode.ts";
import { refuseFaults } from "./refuse-faults.ts";
import { type ResolvedTasks, resolveTasks, type TaskOwner } from "./resolve-tasks.ts";
import { type CheckMode, saving } from "./save-context.ts";

/**
 * Completes the document of a workflow or a template that a client wrote: finds its tasks, adds start and end, and edges to and from nodes
 * without any. Its secrets are still in clear: call `sealComplete` before it is stored.
 *
 * @throws the errors of a document that can't run, no matter who runs it
 */
export async function completeDocument(
  db: Queryable,
  team: TaskOwner,
  input: WorkflowInput,
  mode: CheckMode = saving,
): Promise<ResolvedTasks> {
  const faults = nestedFaults(input);
  refuseFaults(faults, mode);
  // What is too deep or too large is not examined.
  return completeLevel(db, team, faults.length === 0 ? input : withoutNested(input), mode);
}

async function completeLevel(db: Queryable, team: TaskOwner, input: WorkflowInput, mode: CheckMode): Promise<ResolvedTasks> {
  const document = documentOf(input);
  await pauseIfLarge(document.tasks.length);
  const resolved = await resolveTasks(db, team, document, mode);
  await pauseIfLarge(document.tasks.length);
  const nested = await completeNested(db, team, input, mode);
  const found = resolved.document.tasks.map((task) => withNested(task, nested.get(task.name)));
  refuseFaults(found.flatMap(misplacedNested), mode);
  const complete = { ...resolved.document, tasks: await completeGraph(found, mode) };
  await pauseIfLarge(found.length);
  await pauseIfLarge(found.length);
  refuseFaults(documentFaults({ ...resolved.document, tasks: found }), mode);
  const used = new Map([resolved, ...nested.values()].flatMap((one) => one.used).map((one) => [one.taskVersionId, one]));
  return { ...resolved, document: complete, used: [...used.values()], nested };
}

/** By the name of the task. Duplicate names are refused with the graph. */
async function completeNested(db: Queryable, team: TaskOwner, input: WorkflowInput, mode: CheckMode): Promise<Map<string, ResolvedTasks>> {
  const nested = new Map<string, ResolvedTasks>();
  for (const [index, task] of (input.tasks ?? []).entries())
    if (hasNested(task))
      nested.set(task.name, await completeLevel(db, team, nestedInput(input.name, task), nestedMode(mode, `/tasks/${index}/workflow`)));
  return nested;
}

function withNested(task: DocumentTask, nested: ResolvedTasks | undefined): DocumentTask {
  return nested ? { ...task, workflow: nested.document } : task;
}

function misplacedNested({ workflow, type, name }: DocumentTask, index: number): ErrorDetail[] {
  if (!workflow || type === "runworkflow" || type === undefined) return [];
  const message = `can't be in task "${name}", which is of type ${type}; only a task of type runworkflow has one`;
  return [{ path: `/tasks/${index}/workflow`, message }];
}

function withoutNested(input: WorkflowInput): WorkflowInput {
  return { ...input, tasks: (input.tasks ?? []).map(({ workflow: _, ...task }) => task) };
}

async function completeGraph(tasks: readonly DocumentTask[], { refuse }: CheckMode): Promise<DocumentTask[]> {
  const { nodes, problems } = await inSlices(checkGraphSteps(tasks, { makeMarker: (type) => documentTask({ name: type, type }) }));
  if (problems.length > 0) refuse(graphError(problems));
  return nodes;
}

/** The document before, which provides secrets that the new one leaves out. */
interface FormerVersion {
  stored?: WorkflowDocument | undefined;
  newTasks: NewTasks;
}

export function sealComplete(complete: ResolvedTasks, seal: (clear: string) => string, former: FormerVersion): WorkflowDocument {
  const { document, definitions } = complete;
  const { stored, newTasks } = former;
  return sealDocument(document, { declaredBy: (task) => definitions.get(task.name)?.spec?.params ?? [], stored, newTasks, seal });
}

/** Without the added start and end, so that indexes match the author's document. */
export function asGiven(document: WorkflowDocument, { tasks }: Pick<WorkflowInput, "tasks">): WorkflowDocument {
  const given = new Set((tasks ?? []).map(({ name }) => name));
  return { ...document, tasks: document.tasks.filter(({ name }) => given.has(name)) };
}

/** JSON pointer of each task of the document, by its name. */
export function pathsOfTasks({ tasks }: Pick<WorkflowInput, "tasks">): Map<string, string> {
  return new Map((tasks ?? []).map(({ name }, index) => [name, `/tasks/${index}`]));
}
