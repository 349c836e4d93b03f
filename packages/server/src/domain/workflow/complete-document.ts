import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { NewTasks } from "../../core/task/former-tasks.ts";
import { checkGraph, graphError } from "../../core/workflow/checks/check-graph.ts";
import { type DocumentTask, documentOf, documentTask, type WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import { documentFaults } from "../../core/workflow/workflow-document-checks.ts";
import { sealDocument } from "../../core/workflow/workflow-document-secrets.ts";
import type { Queryable } from "../../store/database/database.ts";
import { refuseFaults } from "./refuse-faults.ts";
import { type ResolvedTasks, resolveTasks, type TaskOwner } from "./resolve-tasks.ts";
import { type CheckMode, saving } from "./save-context.ts";

/**
 * The document of what a client wrote, a workflow or a template: its tasks found, with start and end, and with edges to and from
 * what has none. Its secrets are still in clear: `sealComplete` comes before it is stored.
 *
 * @throws what makes a document unfit to be run, no matter who runs it
 */
export async function completeDocument(
  db: Queryable,
  team: TaskOwner,
  input: WorkflowInput,
  mode: CheckMode = saving,
): Promise<ResolvedTasks> {
  const resolved = await resolveTasks(db, team, documentOf(input), mode);
  const complete = { ...resolved.document, tasks: completeGraph(resolved.document.tasks, mode) };
  refuseFaults(documentFaults(resolved.document), mode);
  return { ...resolved, document: complete };
}

function completeGraph(tasks: readonly DocumentTask[], { refuse }: CheckMode): DocumentTask[] {
  const { nodes, problems } = checkGraph(tasks, { makeMarker: (type) => documentTask({ name: type, type }) });
  if (problems.length > 0) refuse(graphError(problems));
  return nodes;
}

/** The document before, whose secrets the new one keeps where it has none. */
interface FormerVersion {
  stored?: WorkflowDocument | undefined;
  newTasks: NewTasks;
}

export function sealComplete(complete: ResolvedTasks, seal: (clear: string) => string, former: FormerVersion): WorkflowDocument {
  const { document, definitions } = complete;
  const { stored, newTasks } = former;
  return sealDocument(document, { declaredBy: (task) => definitions.get(task.name)?.spec?.params ?? [], stored, newTasks, seal });
}

/** Without the start and end that were added, so that places count as its author counts. */
export function asGiven(document: WorkflowDocument, { tasks }: Pick<WorkflowInput, "tasks">): WorkflowDocument {
  const given = new Set((tasks ?? []).map(({ name }) => name));
  return { ...document, tasks: document.tasks.filter(({ name }) => given.has(name)) };
}

/** JSON pointer of each task of the document, by its name. */
export function pathsOfTasks({ tasks }: Pick<WorkflowInput, "tasks">): Map<string, string> {
  return new Map((tasks ?? []).map(({ name }, index) => [name, `/tasks/${index}`]));
}
