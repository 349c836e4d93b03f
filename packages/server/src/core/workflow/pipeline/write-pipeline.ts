import type { Spec } from "@millrace/contract/task/task-definition.ts";
import type { PipelineDefinition, PipelineTask } from "@millrace/contract/workflow/pipeline-definition.ts";
import { serviceAnnotation } from "../../task/tekton/annotations/service-annotations.ts";
import { currentMembers } from "../../task/tekton/content-of-document.ts";
import { parseDuration } from "../../task/tekton/step-resources.ts";
import type { DocumentTask, WorkflowDocument } from "../workflow-document.ts";
import { embeddedAnnotation } from "./embedded-task.ts";
import { writeParam } from "./pipeline-params.ts";
import { tasksReferredTo, toPipelineReferences } from "./pipeline-references.ts";
import { helperAnnotation, helperName } from "./pipeline-when.ts";
import { pipelineAnnotation } from "./read-pipeline.ts";
import { keptAnnotation } from "./read-pipeline-task.ts";

/** A workflow as in a response, with secrets masked. */
export interface WritableWorkflow {
  name: string;
  displayName: string;
  description: string | null;
  icon: string | null;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  document: WorkflowDocument;
}

/** By the name of the node: the document of a task of the team that was created from a pipeline. */
export type EmbeddedSpecs = ReadonlyMap<string, { spec: Spec; metadata: Record<string, unknown> }>;

/**
 * The workflow as a Pipeline, v1: what came from one as it was, and what was changed since as it is now. Whether a Pipeline can say it
 * all is not examined here (pipeline-faults.ts).
 */
export function writePipeline(workflow: WritableWorkflow, embedded: EmbeddedSpecs): PipelineDefinition {
  const { name, displayName, description, icon, labels, document } = workflow;
  const { [pipelineAnnotation]: kept, ...annotations } = workflow.annotations;
  const untyped = new Set(listOf(asMap(kept)["untyped"]));
  const params = document.params.map((param) => writeParam(param, untyped.has(param.name)));
  const forms = params.flatMap(({ form }) => form ?? []);
  const own = {
    ...(icon && serviceAnnotation("icon", icon)),
    ...(forms.length > 0 && serviceAnnotation("params", forms)),
    ...annotations,
  };
  const nodes = document.tasks.filter((task) => task.type !== "start" && task.type !== "end");
  const tasks = nodes.filter(({ annotations: of }) => !(helperAnnotation in of));
  const scope: WriteScope = { byName: new Map(nodes.map((node) => [node.name, node])), embedded, workspaces: workspaceNames(kept) };
  const isLast = ({ annotations: of }: DocumentTask) => keptOf(of)["finally"] === true;
  const last = tasks.filter(isLast).map((task) => writeTask(task, scope));
  const results = nodes.flatMap(({ annotations: of }) => asMap(of[helperAnnotation])["result"] ?? []);
  return {
    apiVersion: "tekton.dev/v1",
    kind: "Pipeline",
    metadata: { name, ...some("labels", labels), ...some("annotations", own) },
    spec: {
      ...(displayName !== name && { displayName }),
      ...(description && { description }),
      ...(params.length > 0 && { params: params.map(({ spec }) => spec) }),
      ...(document.workspaces.length > 0 && { workspaces: declaredWorkspaces(document, kept) }),
      tasks: tasks.filter((task) => !isLast(task)).map((task) => writeTask(task, scope)),
      ...(last.length > 0 && { finally: last }),
      ...(results.length > 0 && { results }),
    },
  } as PipelineDefinition;
}

interface WriteScope {
  byName: ReadonlyMap<string, DocumentTask>;
  embedded: EmbeddedSpecs;
  /** The pipeline's name of each storage. */
  workspaces: ReadonlyMap<string, string>;
}

function writeTask(task: DocumentTask, scope: WriteScope): PipelineTask {
  const kept = keptOf(task.annotations);
  const inside = scope.embedded.get(task.name);
  const params = writeParams(task, kept, inside?.spec);
  const runAfter = writeOrder(task, kept, scope);
  return {
    name: task.name,
    ...pick(kept, "displayName", "description"),
    ...(inside ? { taskSpec: writeSpec(inside) } : { taskRef: writeReference(task, kept) }),
    ...pick(kept, "when", "onError"),
    ...(runAfter.length > 0 && { runAfter }),
    ...(params.length > 0 && { params }),
    ...(task.forEach && { matrix: kept["matrix"] ?? { params: matrixParams(task) } }),
    ...(task.workspaces && task.workspaces.length > 0 && { workspaces: writeWorkspaces(task, kept, scope) }),
    ...(task.retry ? { retries: task.retry.count } : kept["retries"] === 0 && { retries: 0 }),
    ...writeTimeout(task.timeout ?? 0, kept["timeout"]),
  } as PipelineTask;
}

function writeSpec({ spec, metadata }: { spec: Spec; metadata: Record<string, unknown> }): Record<string, unknown> {
  const { annotations, labels } = metadata as { annotations?: Record<string, unknown>; labels?: Record<string, string> };
  const { [embeddedAnnotation]: _ours, ...others } = annotations ?? {};
  const shown = { ...some("labels", labels ?? {}), ...some("annotations", others) };
  return { ...some("metadata", shown), ...currentMembers(spec) };
}

function writeReference({ taskRef = "" }: DocumentTask, kept: Record<string, unknown>): object {
  const former = asMap(kept["taskRef"]);
  return former["name"] === taskRef ? former : { name: taskRef };
}

/** Leaves out parameters that were only added for the matrix or for the steps of an embedded task. */
function writeParams(task: DocumentTask, kept: Record<string, unknown>, spec: Spec | undefined) {
  const declared = new Set(spec?.params?.map(({ name }) => name));
  const ofMatrix = task.forEach ? new Set(matrixNames(kept, task)) : new Set<string>();
  return task.params
    .map(({ name, value }) => ({ name, value: toPipelineReferences(value) }))
    .filter(({ name, value }) => !ofMatrix.has(name) && !(spec && !declared.has(name) && isOwn(name, value)));
}

function isOwn(name: string, value: unknown): boolean {
  return value === `$(params.${name})` || value === `$(params['${name}'])` || value === `$(params["${name}"])`;
}

function matrixNames(kept: Record<string, unknown>, task: DocumentTask): string[] {
  const { params, include } = asMap(kept["matrix"]);
  const [first] = Array.isArray(include) ? include : [];
  const names = [params, asMap(first)["params"]].flatMap(namesOf);
  return names.length > 0 ? names : matrixParams(task).map(({ name }) => name);
}

function matrixParams({ params, forEach }: DocumentTask): { name: string; value: unknown }[] {
  const items = toPipelineReferences(forEach?.items);
  return params.filter(({ value }) => value === "$(params.item)").map(({ name }) => ({ name, value: items }));
}

/** The former `runAfter` without names that are gone, followed by new ones. Dependencies that follow from results are not written. */
function writeOrder(task: DocumentTask, kept: Record<string, unknown>, { byName }: WriteScope): string[] {
  if (kept["finally"] === true) return [];
  const before = listOf(kept["runAfter"]);
  const entry = byName.get(helperName(task.name, "when"))?.dependencies ?? task.dependencies;
  if (entry.some(({ taskRef }) => isHelper(byName.get(taskRef))) || entry.some(({ executionCondition }) => executionCondition === "always"))
    if (before.length > 0) return before;
  const names = entry.flatMap(({ taskRef }) => (taskRef === "start" ? [] : taskRef));
  const demanded = new Set(tasksReferredTo([task.params, task.forEach?.items, kept["when"]]));
  return [...before.filter((name) => names.includes(name)), ...names.filter((name) => !before.includes(name) && !demanded.has(name))];
}

function isHelper(task: DocumentTask | undefined): boolean {
  return task !== undefined && helperAnnotation in task.annotations;
}

function writeWorkspaces({ workspaces = [] }: DocumentTask, kept: Record<string, unknown>, scope: WriteScope): unknown {
  const former = Array.isArray(kept["workspaces"]) ? kept["workspaces"].map(asMap) : [];
  if (namesOf(former).join("\n") === workspaces.map(({ name }) => name).join("\n")) return former;
  return workspaces.map(({ name, type = name }) => ({ name, workspace: scope.workspaces.get(type) ?? type }));
}

/** Written as it was, as long as it means the same number of minutes. */
function writeTimeout(minutes: number, kept: unknown): { timeout?: string } {
  const former = typeof kept === "string" ? parseDuration(kept) : undefined;
  if (typeof kept === "string" && former !== undefined && Math.ceil(former / 60_000) === minutes) return { timeout: kept };
  return minutes > 0 ? { timeout: `${minutes}m` } : {};
}

function declaredWorkspaces({ workspaces }: WorkflowDocument, kept: unknown): unknown {
  const former = asMap(kept)["workspaces"];
  if (Array.isArray(former) && former.length === workspaces.length) return former;
  return workspaces.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) }));
}

/** By kind, for a workflow that came from a pipeline. */
function workspaceNames(kept: unknown): Map<string, string> {
  const names = namesOf(asMap(kept)["workspaces"]);
  return new Map(names.map((name) => [name === "workflow" ? "workflow" : "workflowrun", name]));
}

function keptOf(annotations: Record<string, unknown>): Record<string, unknown> {
  return asMap(annotations[keptAnnotation]);
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function namesOf(list: unknown): string[] {
  const names = Array.isArray(list) ? list.map((one) => asMap(one)["name"]) : [];
  return names.map((name) => (typeof name === "string" ? name : ""));
}

/** Anyone can write annotations, so they may contain anything. */
function asMap(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function pick(from: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

function some(name: string, value: object): Record<string, unknown> {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}
