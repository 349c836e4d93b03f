import { type PipelineDefinition, pipelineDefinition } from "@millrace/contract/workflow/pipeline-definition.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { isSecretParam } from "../../parameter/secret-params.ts";
import { canonicalParam } from "../../task/tekton/param-form.ts";
import { findSchemaFaults } from "../../task/tekton/schema-faults.ts";
import { checkGraph } from "../checks/check-graph.ts";
import { type DocumentTask, documentOf, documentTask, type WorkflowDocument } from "../workflow-document.ts";
import { toWorkflowReferences } from "./pipeline-references.ts";
import { helperAnnotation } from "./pipeline-when.ts";
import { readPipeline } from "./read-pipeline.ts";
import { keptAnnotation } from "./read-pipeline-task.ts";

/**
 * The parts of a workflow that a Pipeline can't express. To find them, its Pipeline is read again and must give the same workflow. Places
 * are JSON pointers into the workflow.
 */
export function pipelineFaults(document: WorkflowDocument, pipeline: PipelineDefinition): ErrorDetail[] {
  const misshapen = findSchemaFaults(pipelineDefinition, pipeline);
  if (misshapen.length > 0) return misshapen.map(({ path, message }) => ({ path: "", message: `${path} of the Pipeline ${message}` }));
  const read = readPipeline(pipeline);
  if (read.refusals.length > 0)
    return read.refusals.map(({ path, message }) => ({ path: "", message: `${path} of the Pipeline ${message}` }));
  const again = documentOf(read.workflow);
  const { nodes } = checkGraph(again.tasks, { makeMarker: (type) => documentTask({ name: type, type }) });
  const declared = new Set(document.params.map(({ name }) => name));
  return [...membersFaults(document, again), ...tasksFaults(document.tasks, nodes, declared)];
}

function membersFaults({ tasks: _own, ...document }: WorkflowDocument, { tasks: _again, ...again }: WorkflowDocument): ErrorDetail[] {
  const shown = { ...document, params: document.params.map(shownParam) };
  const read: Record<string, unknown> = { ...again, params: again.params.map(shownParam) };
  return Object.entries(shown)
    .filter(([member, value]) => !isSame(value, read[member]))
    .map(([member]) => ({ path: `/${member}`, message: `${member} of the workflow can't be expressed in a Pipeline` }));
}

/** The default of a secret is left out, since it is never shown. */
function shownParam({ hiddenValue: _computed, required, ...param }: WorkflowDocument["params"][number]): object {
  const { default: value, ...rest } = canonicalParam({ ...param });
  return { ...rest, ...(required === true && { required }), ...(!isSecretParam(param) && value !== undefined && { default: value }) };
}

function tasksFaults(tasks: readonly DocumentTask[], again: readonly DocumentTask[], declared: ReadonlySet<string>): ErrorDetail[] {
  const read = new Map(again.map((task) => [task.name, task]));
  const faults = tasks.flatMap((task, index) => {
    const other = read.get(task.name);
    read.delete(task.name);
    const path = `/tasks/${index}`;
    return other
      ? taskFaults(task, other, path, declared)
      : [{ path, message: `task ${quote(task.name)} can't be expressed in a Pipeline` }];
  });
  const missing = [...read.keys()].map((name) => ({
    path: "/tasks",
    message: `task ${quote(name)} is missing, which its Pipeline would have`,
  }));
  return [...faults, ...missing].slice(0, 100);
}

function taskFaults(task: DocumentTask, other: DocumentTask, path: string, declared: ReadonlySet<string>): ErrorDetail[] {
  const [own, read]: Record<string, unknown>[] = [comparable(task, declared), comparable(other, declared)];
  const members = [...new Set([...Object.keys(own!), ...Object.keys(read!)])];
  return members
    .filter((member) => !isSame(own![member], read![member]))
    .map((member) => ({ path: `${path}/${member}`, message: `${member} of task ${quote(task.name)} can't be expressed in a Pipeline` }));
}

const notCompared = ["type", "taskVersion", "upgradesAvailable"];
/** Annotations with the position in a designer, or that only say where a node came from. */
const ownAnnotations = [keptAnnotation, helperAnnotation, "millrace.dev/position", "boomerang.io/position"];

/** Leaves out the versions of tasks, which depend on when the workflow is saved, and the order of links, which has no meaning. */
function comparable(task: DocumentTask, declared: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(task).filter(([member]) => !notCompared.includes(member));
  const annotations = Object.entries(task.annotations).filter(([name]) => !ownAnnotations.includes(name));
  const names = new Set([...declared].filter((name) => !task.params.some((param) => param.name === name)));
  return {
    ...Object.fromEntries(entries),
    annotations: Object.fromEntries(annotations),
    dependencies: Object.fromEntries(task.dependencies.map(({ taskRef, ...link }) => [taskRef, link])),
    params: toWorkflowReferences(task.params, names).map(({ hiddenValue: _computed, ...param }) => param),
    ...(task.forEach && { forEach: toWorkflowReferences(task.forEach, names) }),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]));
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
