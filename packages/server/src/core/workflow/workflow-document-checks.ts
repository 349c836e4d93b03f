import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import type { InstanceSettings, WorkspaceStorage, WorkspaceType } from "../settings/instance-settings.ts";
import { canonicalMountPath, describeMountConflict, findMountConflict, mountPathFault, type NamedMount } from "../task/mount-paths.ts";
import { nodeFunctionFaults } from "../task/tekton/annotations/function-annotations.ts";
import { placingFaults } from "../task/tekton/annotations/placing-annotations.ts";
import type { Quotas } from "../team/quota.ts";
import { workspaceBytes, workspaceSize } from "../team/quota.ts";
import { resultsOfWorkflow } from "./child-call.ts";
import { controlFaults } from "./run-control.ts";
import type { DocumentTask, WorkflowDocument } from "./workflow-document.ts";

/**
 * Members of the canvas. In a workflow they are refused: stored as unknown members, they would collide with those of the canvas in
 * responses.
 */
const canvasMembers = ["nodes", "edges", "config"];

/** Problems of a document, apart from its graph (check-graph.ts), by place. */
export function documentFaults(document: WorkflowDocument): ErrorDetail[] {
  const strays = canvasMembers.filter((member) => member in document);
  return [
    ...strays.map((member) => ({ path: `/${member}`, message: "belongs to the canvas: send it to the compose endpoint of the workflow" })),
    ...twiceFaults(document.params, "/params", "parameter"),
    ...twiceFaults(document.workspaces, "/workspaces", "workspace"),
    ...resultFaults(document),
    ...document.workspaces.flatMap(workspaceFaults),
    ...document.tasks.flatMap((task, index) => taskFaults(task, `/tasks/${index}`)),
    ...overlapFaults(document),
    ...controlFaults(document),
  ];
}

function twiceFaults(list: readonly { name: string }[], path: string, what: string): ErrorDetail[] {
  const seen = new Set<string>();
  return list.flatMap(({ name }, index) => {
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice ? [{ path: `${path}/${index}/name`, message: `another ${what} has the name ${name}` }] : [];
  });
}

/** Results that are declared twice, that no task sets, or that a task sets without a declaration. */
function resultFaults({ results, tasks }: WorkflowDocument): ErrorDetail[] {
  if (!results) return [];
  const set = resultsOfWorkflow({ tasks });
  const setNames = new Set(set.results.map(({ name }) => name));
  const declaredNames = new Set(results.map(({ name }) => name));
  const unset = results.flatMap(({ name }, index) =>
    !set.hasAllResults || setNames.has(name)
      ? []
      : [
          {
            path: `/results/${index}/name`,
            message: `is ${JSON.stringify(name)}, but no task set-result-parameter of the workflow has that output`,
          },
        ],
  );
  const undeclared = tasks.flatMap(({ type, params }, index) =>
    params.flatMap(({ name, value }, at) =>
      type !== "setwfproperty" ||
      name !== "output" ||
      typeof value !== "string" ||
      value === "" ||
      value.includes("$(") ||
      declaredNames.has(value)
        ? []
        : [
            {
              path: `/tasks/${index}/params/${at}/value`,
              message: `is ${JSON.stringify(value)}, which the results of the workflow don't declare`,
            },
          ],
    ),
  );
  return [...twiceFaults(results, "/results", "result"), ...unset, ...undeclared];
}

/** Problems with one workspace of a list. */
export function workspaceFaults({ spec }: WorkflowWorkspace, index: number): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (spec?.size !== undefined && workspaceBytes(spec.size) === undefined) {
    faults.push({ path: `/workspaces/${index}/spec/size`, message: `is ${String(spec.size)}; it must be a size such as 2, 2Gi or 512Mi` });
  }
  const fault = spec?.mountPath === undefined ? undefined : mountPathFault(spec.mountPath);
  if (fault !== undefined) faults.push({ path: `/workspaces/${index}/spec/mountPath`, message: fault });
  return faults;
}

interface PlacedMount extends NamedMount {
  /** The place in the document. */
  at: string;
}

/**
 * Workspaces whose paths overlap, i.e. are equal or inside each other: for tasks without bindings of their own, and for each task with
 * some.
 */
function overlapFaults({ workspaces, tasks }: WorkflowDocument): ErrorDetail[] {
  const types = new Set<string>();
  const ownPaths = workspaces.flatMap((workspace, index): PlacedMount[] => {
    const type = workspaceType(workspace);
    // A second workspace of the same type is reported as another fault.
    if (type === undefined || types.has(type)) return [];
    types.add(type);
    const path = workspace.spec?.mountPath ?? `/workspace/${type}`;
    return placed(workspace.name, path, `/workspaces/${index}/spec/mountPath`);
  });
  const boundPaths = tasks.map((task, index) =>
    (task.workspaces ?? []).flatMap(({ name, mountPath }, at) => placed(name, mountPath, `/tasks/${index}/workspaces/${at}/mountPath`)),
  );
  return [ownPaths, ...boundPaths].flatMap((mounts) => {
    const conflict = findMountConflict(mounts);
    return conflict ? [{ path: conflict.inner.at, message: describeMountConflict(conflict) }] : [];
  });
}

/** What the task definition says of a place is examined before a job; what can't be a path is another fault. */
function placed(name: string, path: string | undefined, at: string): PlacedMount[] {
  return path === undefined || mountPathFault(path) !== undefined ? [] : [{ name, path: canonicalMountPath(path), at }];
}

function taskFaults(task: DocumentTask, path: string): ErrorDetail[] {
  return [
    ...twiceFaults(task.params, `${path}/params`, "value"),
    ...twiceFaults(task.results, `${path}/results`, "result"),
    ...placingFaults(task.annotations ?? {}, `${path}/annotations`),
    ...nodeFunctionFaults(task.annotations ?? {}, `${path}/annotations`),
    ...(task.workspaces ?? []).flatMap(({ mountPath }, index) => {
      const fault = mountPath === undefined ? undefined : mountPathFault(mountPath);
      return fault === undefined ? [] : [{ path: `${path}/workspaces/${index}/mountPath`, message: fault }];
    }),
  ];
}

/** Workspaces that request more than this instance allows. */
export function storageFaults(workspaces: readonly WorkflowWorkspace[], storage: InstanceSettings["storage"]): ErrorDetail[] {
  return workspaces.flatMap(({ type, spec }, index) => {
    const group = type === "workflowrun" ? "workflowrun" : "workflow";
    const { max, maxBytes } = storage[group];
    if (spec?.size === undefined || (workspaceBytes(spec.size) ?? 0) <= maxBytes) return [];
    const message = `is ${String(spec.size)}; this instance allows at most ${max} (setting ${group}/max.storage.size)`;
    return [{ path: `/workspaces/${index}/spec/size`, message }];
  });
}

/** A workspace that is larger than its quota. */
interface OversizedWorkspace {
  quota: "maxWorkflowStorage" | "maxWorkflowRunStorage";
  /** As written in the document. */
  asked: string;
  maxGi: number;
}

type StorageQuotas = Pick<Quotas, "maxWorkflowStorage" | "maxWorkflowRunStorage">;

/** The first workspace that requests more than the quota of the team. If the quota is 0, every workspace does. */
export function findOversizedWorkspace(workspaces: readonly WorkflowWorkspace[], quotas: StorageQuotas): OversizedWorkspace | undefined {
  for (const workspace of workspaces) {
    const quota = storageQuota(workspace);
    const { size } = workspace.spec ?? {};
    const bytes = size === undefined ? 1 : (workspaceBytes(size) ?? 0);
    if (bytes > quotas[quota] * 2 ** 30) return { quota, asked: size === undefined ? "some" : String(size), maxGi: quotas[quota] };
  }
  return undefined;
}

/**
 * Each workspace with the size it may grow to: the requested size or else the instance's default, within the quota and the instance's
 * limit.
 */
export function sizedWorkspaces(
  workspaces: readonly WorkflowWorkspace[],
  quotas: StorageQuotas,
  storage: InstanceSettings["storage"],
): WorkflowWorkspace[] {
  return workspaces.map((workspace) => {
    const type = workspaceType(workspace);
    if (type === undefined) return workspace;
    const { size } = workspace.spec ?? {};
    const limitBytes = workspaceLimitBytes(size, type, quotas, storage[type]);
    return workspaceBytes(size) === limitBytes ? workspace : { ...workspace, spec: { ...workspace.spec, size: workspaceSize(limitBytes) } };
  });
}

function storageQuota(workspace: WorkflowWorkspace): keyof StorageQuotas {
  return workspaceType(workspace) === "workflowrun" ? "maxWorkflowRunStorage" : "maxWorkflowStorage";
}

/** Older definitions have the type in the name. Undefined: an unknown type. */
export function workspaceType(workspace: { type?: string; name: string }): "workflow" | "workflowrun" | undefined {
  const type = workspace.type ?? workspace.name;
  return type === "workflow" || type === "workflowrun" ? type : undefined;
}

/** The largest size of a workspace, in bytes: the requested size or else the default, within the team's quota and the instance's limit. */
function workspaceLimitBytes(
  size: unknown,
  type: WorkspaceType,
  quotas: Pick<Quotas, "maxWorkflowStorage" | "maxWorkflowRunStorage">,
  storage: WorkspaceStorage,
): number {
  const quota = type === "workflow" ? quotas.maxWorkflowStorage : quotas.maxWorkflowRunStorage;
  return Math.min(workspaceBytes(size) ?? storage.defaultBytes, quota * 2 ** 30, storage.maxBytes);
}
