import type { AbstractParam } from "@millrace/contract/common.ts";
import type {
  PipelineDefinition,
  PipelineRunDefinition,
  PipelineSpec,
  PipelineTask,
  PipelineValue,
} from "@millrace/contract/workflow/pipeline-definition.ts";
import type { WorkflowInput, WorkflowTask, WorkflowTaskDependency } from "@millrace/contract/workflow/workflow.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { splitAnnotations } from "../../task/tekton/annotations/service-annotations.ts";
import { readForms } from "../../task/tekton/content-of-document.ts";
import { toSlug } from "../../team/slug.ts";
import { type EmbeddedTask, maxEmbeddedTasks } from "./embedded-task.ts";
import { readEdges } from "./pipeline-edges.ts";
import { checkParam, readParam } from "./pipeline-params.ts";
import { foreignReferences, tasksReferredTo, toWorkflowReferences } from "./pipeline-references.ts";
import { PipelineReport } from "./pipeline-report.ts";
import { guardTask, helperAnnotation, helperName, watchFailure } from "./pipeline-when.ts";
import { readWorkspaces } from "./pipeline-workspaces.ts";
import { readMinutes, readPipelineTask } from "./read-pipeline-task.ts";

/** A Pipeline converted into the JSON that `POST …/workflow` accepts. */
export interface ReadPipeline {
  workflow: WorkflowInput & { name: string; tasks: WorkflowTask[] };
  /** Embedded tasks, to be saved as tasks of the team. */
  embedded: EmbeddedTask[];
  /** Why it can't be saved: its meaning would change. By place in the document, like the notes. */
  refusals: ErrorDetail[];
  /** Members that have no effect here. */
  notes: ErrorDetail[];
  /** The place in the document that a place of the workflow comes from; both are JSON pointers. */
  sourceOf(path: string): string;
}

/** Stores the parts of the document that are not members of the workflow. */
export const pipelineAnnotation = "millrace.dev/pipeline";

export function readPipeline(definition: PipelineDefinition | PipelineRunDefinition): ReadPipeline {
  const report = new PipelineReport();
  const source = definition.kind === "Pipeline" ? ofPipeline(definition as PipelineDefinition) : ofRun(definition, report);
  const { name, metadata, spec, path } = source;
  checkHead(source, report);
  const { service, kept } = splitAnnotations(metadata.annotations ?? {});
  const params = readParams(source, readForms(service.params), report);
  const declared = new Set(params.map((param) => param.name));
  const { storages, workspaces } = readWorkspaces(spec.workspaces ?? [], source.bindings, { spec: path, run: "/spec" }, report);
  const { tasks, embedded } = readTasks(source, { workflow: toSlug(name), declared, storages, report });
  const displayName = spec.displayName ?? text(service.displayName);
  return {
    workflow: {
      name,
      ...(displayName !== undefined && { displayName }),
      ...(spec.description !== undefined && { description: spec.description }),
      ...(text(service.icon) !== undefined && { icon: text(service.icon) }),
      labels: metadata.labels ?? {},
      annotations: { ...kept, [pipelineAnnotation]: keptOf(spec) },
      ...(source.timeout !== undefined && source.timeout > 0 && { timeout: source.timeout }),
      params,
      workspaces,
      tasks,
    },
    embedded,
    refusals: report.refusals,
    notes: report.notes,
    sourceOf: (place) => sourceOf(place, tasks, source),
  };
}

function sourceOf(place: string, tasks: readonly WorkflowTask[], { spec, path }: Source): string {
  if (place.startsWith("/spec/")) return place;
  const [, index, rest = ""] = /^\/tasks\/(\d+)(.*)$/.exec(place) ?? [];
  if (index === undefined) return /^\/(params|workspaces)/.test(place) ? path + place : `/metadata${place}`;
  const name = tasks[Number(index)]?.name ?? "";
  const [owner] = name.split(" ");
  for (const list of ["tasks", "finally"] as const) {
    const at = (spec[list] ?? []).findIndex((task) => task.name === owner);
    if (at >= 0) return `${path}/${list}/${at}${owner === name ? rest : ""}`;
  }
  const result = (spec.results ?? []).findIndex((one) => helperName("result", one.name) === name);
  return result < 0 ? `${path}/tasks` : `${path}/results/${result}`;
}

function keptOf({ workspaces = [], params = [] }: PipelineSpec) {
  return { workspaces, untyped: params.flatMap(({ name, type }) => (type === undefined ? name : [])) };
}

interface Source {
  name: string;
  metadata: { labels?: Record<string, string | null>; annotations?: Record<string, unknown>; [member: string]: unknown };
  spec: PipelineSpec;
  /** JSON pointer of the spec. */
  path: string;
  values: readonly PipelineValue[];
  bindings: NonNullable<PipelineRunDefinition["spec"]["workspaces"]>;
  timeout: number | undefined;
}

function ofPipeline({ metadata, spec }: PipelineDefinition): Source {
  return { name: metadata.name, metadata, spec, path: "/spec", values: [], bindings: [], timeout: undefined };
}

const clusterOnly = "has no effect: it is for a cluster; annotations of a task say where it runs";

function ofRun(definition: PipelineDefinition | PipelineRunDefinition, report: PipelineReport): Source {
  const { metadata = {}, spec } = definition as PipelineRunDefinition;
  const { pipelineRef, pipelineSpec, params = [], timeouts, timeout, workspaces = [] } = spec;
  if (pipelineRef !== undefined)
    report.refuse(
      "/spec/pipelineRef",
      "names a pipeline; save that Pipeline as a workflow, then submit a run of it (POST /api/v2/team/{team}/workflow/{workflow}/submit)",
    );
  else if (pipelineSpec === undefined) report.refuse("/spec", "has no pipelineSpec, which would become the workflow");
  const name = metadata.name ?? metadata.generateName?.replace(/-+$/, "") ?? "";
  if (name === "") report.refuse("/metadata", "needs a name or generateName, from which the workflow gets its name");
  report.noteMembers("/spec", spec, {
    taskRunTemplate: clusterOnly,
    taskRunSpecs: clusterOnly,
    serviceAccountName: clusterOnly,
    podTemplate: clusterOnly,
    managedBy: clusterOnly,
    status: "has no effect: nothing runs until the workflow is submitted",
  });
  refuseHostNetwork(spec, report);
  report.noteMembers("/spec/timeouts", timeouts, {
    tasks: "has no effect: a workflow has one timeout for all of its tasks; set timeout at each task",
    finally: "has no effect: a workflow has one timeout for all of its tasks; set timeout at each task",
  });
  const [at, limit] = timeouts?.pipeline === undefined ? ["/spec/timeout", timeout] : ["/spec/timeouts/pipeline", timeouts.pipeline];
  const minutes = readMinutes(limit, at, report);
  const more = { values: params, bindings: workspaces, timeout: minutes };
  return { name, metadata: metadata as Source["metadata"], spec: pipelineSpec ?? {}, path: "/spec/pipelineSpec", ...more };
}

/** Without the host network such a run would not do what its document says, and with it a workflow would need a separate permission. */
function refuseHostNetwork(spec: PipelineRunDefinition["spec"], report: PipelineReport): void {
  const { podTemplate, taskRunTemplate, taskRunSpecs } = spec as Record<string, unknown>;
  const ofTasks = Array.isArray(taskRunSpecs) ? taskRunSpecs : [];
  const templates: [path: string, template: unknown][] = [
    ["/spec/podTemplate", podTemplate],
    ["/spec/taskRunTemplate/podTemplate", membersOf(taskRunTemplate)["podTemplate"]],
    ...ofTasks.flatMap((one, index): [string, unknown][] =>
      ["podTemplate", "taskPodTemplate"].map((member) => [`/spec/taskRunSpecs/${index}/${member}`, membersOf(one)[member]]),
    ),
  ];
  for (const [path, template] of templates) {
    const { hostNetwork } = membersOf(template);
    if (hostNetwork !== undefined && hostNetwork !== null && hostNetwork !== false)
      report.refuse(`${path}/hostNetwork`, hostNetworkInstead);
  }
}

const hostNetworkInstead =
  "is not read here; leave it out, and give tasks that need the network of the machine the annotation millrace.dev/network: host, " +
  "which takes MILLRACE_ALLOW_HOST_NETWORK=true and allowHostNetwork of the team";

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const notKept = "is not kept: it has no effect here";

function checkHead({ name, metadata, spec, path }: Source, report: PipelineReport): void {
  const slug = toSlug(name);
  if (name !== "" && slug !== name) report.note("/metadata/name", `becomes the workflow ${slug}`);
  const { name: _name, generateName: _prefix, labels: _labels, annotations = {}, ...others } = metadata;
  for (const member of Object.keys(others)) report.note(`/metadata/${member.replaceAll("/", "~1")}`, notKept);
  for (const member of Object.keys(splitAnnotations(annotations).service))
    if (!["params", "displayName", "icon"].includes(member)) report.note("/metadata/annotations", `have ${member}, which ${notKept}`);
  if (spec["resources"] !== undefined) report.refuse(`${path}/resources`, "is not supported; use params, results and workspaces");
}

/** Values of a PipelineRun become defaults of the workflow. Tekton also lets tasks use values that no parameter declares. */
function readParams(source: Source, forms: ReturnType<typeof readForms>, report: PipelineReport): AbstractParam[] {
  const byName = new Map(forms.map((form) => [form.name, form]));
  const values = new Map(source.values.map((given) => [given.name, given.value]));
  const declared = source.spec.params ?? [];
  const undeclared = source.values.filter(({ name }) => !declared.some((param) => param.name === name));
  return [...declared, ...undeclared.map(({ name, value }) => ({ name, ...(value !== undefined && { default: value }) }))].map(
    (spec, index) => {
      const value = values.get(spec.name);
      const given = value === undefined ? spec : { ...spec, default: value };
      const param = readParam(given, byName.get(spec.name));
      checkParam(given, param, `${source.path}/params/${index}`, report);
      return param;
    },
  );
}

type Scope = Parameters<typeof readPipelineTask>[2];

function readTasks({ spec, path }: Source, scope: Scope): Pick<ReadPipeline, "embedded"> & { tasks: WorkflowTask[] } {
  const { report } = scope;
  const tasks = spec.tasks ?? [];
  const last = spec.finally ?? [];
  if (tasks.length === 0 && report.refusals.length === 0) report.refuse(`${path}/tasks`, "has no task; a pipeline needs at least one");
  const read = [
    ...tasks.map((task, index) => ({ task, ...readPipelineTask(task, `${path}/tasks/${index}`, scope, false) })),
    ...last.map((task, index) => ({ task, ...readPipelineTask(task, `${path}/finally/${index}`, scope, true) })),
  ];
  const embedded = read.flatMap((one) => one.embedded ?? []);
  if (embedded.length > maxEmbeddedTasks)
    report.refuse(`${path}/tasks`, `have ${embedded.length} taskSpecs; at most ${maxEmbeddedTasks} are possible, save the others as tasks`);
  refuseSharedNames(embedded, report);
  const edges = readEdges(tasks, last, path, report);
  const nodes: WorkflowTask[] = [];
  const toEnd: WorkflowTaskDependency[] = [];
  for (const { task, node } of read) {
    const entry = edges?.entries.get(task.name) ?? [];
    const guarded = guardTask({ ...task, when: toInputs(task, scope) }, entry);
    const isGuarded = guarded.helpers.length > 0;
    nodes.push(...guarded.helpers, { ...node, dependencies: isGuarded ? guarded.dependencies : entry });
    toEnd.push(...guarded.toEnd);
    if (task.onError === "continue") toEnd.push({ taskRef: task.name, executionCondition: "failure" });
    if (!edges?.watched.has(task.name)) continue;
    const watch = watchFailure(task.name, guarded.dependencies);
    nodes.push(...watch.helpers);
    toEnd.push(...watch.toEnd);
  }
  nodes.push(...readResults(spec, path, scope));
  if (toEnd.length > 0) nodes.push({ name: "end", type: "end", dependencies: toEnd });
  return { tasks: nodes, embedded };
}

/**
 * Task names can't contain all characters and have a limited length, so two names could become the same task, and one would run in place of
 * the other.
 */
function refuseSharedNames(embedded: readonly EmbeddedTask[], report: PipelineReport): void {
  const taken = new Map<string, string>();
  for (const { node, path, definition } of embedded) {
    const { name } = definition.metadata;
    const other = taken.get(name);
    taken.set(name, node);
    if (other !== undefined && other !== node)
      report.refuse(path, `is saved as the task ${name}, like that of the task ${other}; rename one of the two`);
  }
}

function toInputs({ when = [] }: PipelineTask, { declared }: Scope) {
  return when.map((expression) => ({ ...expression, input: toWorkflowReferences(expression.input ?? "", declared) }));
}

/** Each result is set by a task that runs after the tasks it refers to have succeeded. */
function readResults({ results = [], tasks = [] }: PipelineSpec, path: string, { declared, report }: Scope): WorkflowTask[] {
  const names = new Set(tasks.map(({ name }) => name));
  return results.map((result, index): WorkflowTask => {
    const at = `${path}/results/${index}`;
    for (const { text: written, why } of foreignReferences(result.value)) report.refuse(`${at}/value`, `has ${written}: ${why}`);
    const sources = tasksReferredTo(result.value);
    for (const name of sources)
      if (!names.has(name)) report.refuse(`${at}/value`, `refers to ${JSON.stringify(name.slice(0, 100))}, which is not one of the tasks`);
    return {
      name: helperName("result", result.name),
      type: "setwfproperty",
      taskRef: "set-result-parameter",
      dependencies: sources.map((name) => ({ taskRef: name, executionCondition: "success" })),
      params: [
        { name: "output", value: result.name },
        { name: "value", value: toWorkflowReferences(resultValue(result), declared) },
      ],
      annotations: { [helperAnnotation]: { result } },
    };
  });
}

/** The task that sets the result takes a text, so a reference to all elements of a list is put into a list. */
function resultValue({ type, value }: { type?: string; value: unknown }): unknown {
  if (typeof value !== "string" || !/^\$\([^()]+\[\*\]\)$/.test(value)) return value;
  return type === "object" ? value.replace("[*])", ")") : [value];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
