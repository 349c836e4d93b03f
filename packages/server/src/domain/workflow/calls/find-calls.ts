import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { type ChildCall, type ChildWorkflow, callFaults, readCall, resultsOfWorkflow } from "../../../core/workflow/child-call.ts";
import { nestedDocument } from "../../../core/workflow/nested-workflow.ts";
import type { DocumentTask, WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { type CalledWorkflow, listCalledWorkflows } from "../../../store/workflow/called-workflows.ts";

/** A task of a document that runs another, known workflow. */
export interface CheckedCall extends ChildCall {
  task: string;
  child: ChildWorkflow | undefined;
  /** What is wrong with the call. */
  faults: ErrorDetail[];
  /** The workflow is nested in the task. */
  isNested?: boolean;
}

type CalledDocument = Pick<WorkflowDocument, "tasks" | "params" | "results" | "batch">;

/**
 * The calls of a document, each with its workflow in the version that would run now. A missing workflow is not reported here
 * (check-workflow-refs.ts), and neither is anything that only a run can know.
 *
 * @param ownName of the workflow of the document, which may call itself: its latest version is then the document
 * @param whole the document in which this one is nested
 */
export async function findCalls(
  db: Queryable,
  teamId: string,
  ownName: string,
  document: CalledDocument,
  whole: CalledDocument = document,
): Promise<CheckedCall[]> {
  const calls = document.tasks.flatMap((task, index) => (task.type === "runworkflow" ? [{ task, index, call: readCall(task) }] : []));
  const wanted = calls.flatMap(({ index, call: { ref, version } }) =>
    ref === undefined || (version === "latest" && ref === ownName) || (version !== "latest" && typeof version !== "number")
      ? []
      : [{ index, ref, version: version === "latest" ? null : version }],
  );
  const found = wanted.length === 0 ? [] : await listCalledWorkflows(db, teamId, wanted);
  const byIndex = new Map(found.map((row) => [wanted[row.position]?.index, row]));
  const own: ChildWorkflow = { name: ownName, version: undefined, ...interfaceOf(whole) };
  return calls.map(({ task, index, call }) => {
    const path = `/tasks/${index}`;
    const nested = nestedCall(task, path);
    if (nested) return nested;
    const row = byIndex.get(index);
    const child = call.version === "latest" && call.ref === ownName ? own : row && childOf(row);
    const versionFault = whyNoVersion(call, row);
    if (versionFault !== undefined) {
      const at = task.params.findIndex(({ name }) => name === "workflowVersion");
      const fault = { path: `${path}/params/${at}/value`, message: `parameter "workflowVersion" ${versionFault}` };
      return { ...call, task: task.name, child: undefined, faults: [fault] };
    }
    return { ...call, task: task.name, child, faults: child ? callFaults(task, path, child) : [] };
  });
}

/** For a task with a nested workflow: nothing has to be looked up. */
export function nestedCall(task: DocumentTask, path: string): CheckedCall | undefined {
  const nested = nestedDocument(task);
  if (nested === undefined) return undefined;
  const child = { name: `nested in task "${task.name}"`, version: undefined, ...interfaceOf(nested) };
  return { ...readCall(task), waits: true, isNested: true, task: task.name, child, faults: callFaults(task, path, child) };
}

function whyNoVersion({ version }: ChildCall, row: CalledWorkflow | undefined): string | undefined {
  if (typeof version === "object") return version.fault;
  if (typeof version !== "number" || row === undefined || row.version !== null) return undefined;
  return `is ${version}, but workflow ${row.name} has no such version; its latest is ${row.latestVersion}`;
}

function childOf({ name, version, document }: CalledWorkflow): ChildWorkflow | undefined {
  return version === null || document === null ? undefined : { name, version, ...interfaceOf(document) };
}

function interfaceOf(document: NonNullable<CalledWorkflow["document"]>): Omit<ChildWorkflow, "name" | "version"> {
  return { params: document.params ?? [], batchParam: document.batch?.param, ...resultsOfWorkflow(document) };
}
