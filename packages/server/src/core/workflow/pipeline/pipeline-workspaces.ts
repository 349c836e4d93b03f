import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { PipelineRunDefinition, PipelineSpec, PipelineTask } from "@millrace/contract/workflow/pipeline-definition.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/** The two storages of a workflow, by their names in the pipeline. */
export type PipelineStorages = ReadonlyMap<string, "workflow" | "workflowrun">;

interface PipelineWorkspaces {
  storages: PipelineStorages;
  workspaces: WorkflowWorkspace[];
}

type Declared = NonNullable<PipelineSpec["workspaces"]>;
type Bindings = NonNullable<PipelineRunDefinition["spec"]["workspaces"]>;

/** A workspace named `workflow` or bound to a claim is kept across runs; all others are created for each run. */
export function readWorkspaces(
  declared: Declared,
  bindings: Bindings,
  paths: Record<"spec" | "run", string>,
  report: PipelineReport,
): PipelineWorkspaces {
  const storages = new Map<string, "workflow" | "workflowrun">();
  const workspaces: WorkflowWorkspace[] = [];
  const bound = readBindings(bindings, `${paths.run}/workspaces`, report);
  for (const [index, { name, description }] of declared.entries()) {
    const binding = bound.get(name);
    const type = binding?.type ?? (name === "workflow" ? "workflow" : "workflowrun");
    const other = [...storages].find(([, taken]) => taken === type)?.[0];
    if (other === undefined) {
      const size = binding?.size === undefined ? {} : { spec: { size: binding.size } };
      workspaces.push({ name: type, type, ...(description !== undefined && { description }), ...size });
    } else report.refuse(`${paths.spec}/workspaces/${index}`, whySecond(type, other));
    storages.set(name, type);
  }
  for (const name of bound.keys())
    if (!storages.has(name)) report.note(`${paths.run}/workspaces`, `binds ${JSON.stringify(name)}, which the pipeline does not declare`);
  return { storages, workspaces };
}

function whySecond(type: string, other: string): string {
  const kept = type === "workflow" ? "kept across runs" : "made for each run";
  return (
    `is a second workspace that is ${kept}, beside ${JSON.stringify(other)}; a workflow has one of each kind. ` +
    'Let the tasks share one, with a folder each; one with the name "workflow" is kept across runs'
  );
}

interface Binding {
  type: "workflow" | "workflowrun";
  size: string | undefined;
}

function readBindings(bindings: Bindings, path: string, report: PipelineReport): Map<string, Binding> {
  const bound = new Map<string, Binding>();
  for (const [index, binding] of bindings.entries()) {
    const at = `${path}/${index}`;
    report.refuseMembers(at, binding, refusedSources);
    if (binding["persistentVolumeClaim"])
      report.note(`${at}/persistentVolumeClaim`, "is a workspace of the workflow here, kept across runs");
    if (binding["volumeClaimTemplate"] !== undefined && hasMoreThanSize(binding["volumeClaimTemplate"]))
      report.note(`${at}/volumeClaimTemplate`, "has an effect only by its size, spec.resources.requests.storage");
    const type = binding["persistentVolumeClaim"] ? "workflow" : "workflowrun";
    bound.set(binding.name, { type, size: sizeOf(binding["volumeClaimTemplate"]) });
  }
  return bound;
}

const noFile = "can't be a workspace; a step takes its keys into its environment, with secretKeyRef or configMapKeyRef";
const refusedSources = {
  secret: noFile,
  configMap: noFile,
  projected: noFile,
  csi: "can't be a workspace; use emptyDir or volumeClaimTemplate",
  subPath: "is not supported; let the tasks use a folder of the workspace",
};

function hasMoreThanSize(template: unknown): boolean {
  if (sizeOf(template) === undefined) return true;
  const { spec, ...others } = template as { spec: object };
  return Object.keys(others).length > 0 || Object.keys(spec).length > 1;
}

function sizeOf(template: unknown): string | undefined {
  const path = ["spec", "resources", "requests", "storage"];
  const size = path.reduce<unknown>((value, member) => (value as Record<string, unknown> | undefined | null)?.[member], template);
  return typeof size === "string" || typeof size === "number" ? String(size) : undefined;
}

/** The workspaces as a task sees them. */
export function bindWorkspaces(
  { workspaces = [] }: Pick<PipelineTask, "workspaces">,
  storages: PipelineStorages,
  path: string,
  report: PipelineReport,
) {
  return workspaces.flatMap(({ name, workspace = name, subPath }, index) => {
    const at = `${path}/workspaces/${index}`;
    if (subPath !== undefined) report.refuse(`${at}/subPath`, "is not supported; let the task use a folder of the workspace");
    const type = storages.get(workspace);
    if (type === undefined) report.refuse(at, `is bound to ${JSON.stringify(workspace)}, which the pipeline does not declare`);
    return type === undefined ? [] : [{ name, type }];
  });
}
