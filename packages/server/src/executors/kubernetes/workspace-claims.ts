import type { V1PersistentVolumeClaim } from "@kubernetes/client-node";
import type { Job, KeptWorkspace, WorkspaceKeeper } from "../../engine/executor.ts";
import { clusterProblem } from "./cluster-problem.ts";
import { instanceLabels, labelNames, labelValue, selectorOf, volumeName, workspaceAnnotation } from "./object-names.ts";
import type { Runtime } from "./runtime.ts";

/** Each workspace is a volume claim, created when a task first needs it. How its size is enforced depends on the storage of the cluster. */
export async function ensureClaims(runtime: Runtime, job: Job): Promise<void> {
  const { core, namespace } = runtime.cluster;
  const bodies = new Map(job.workspaces.map((workspace) => [volumeName({ ...workspace, teamId: job.teamId }), workspace]));
  for (const [name, workspace] of bodies) {
    const body = claim(runtime, { teamId: job.teamId, scope: workspace.scope, ownerId: workspace.ownerId }, name, workspace.sizeLimitBytes);
    await core.createNamespacedPersistentVolumeClaim({ namespace, body }).catch((error: unknown) => {
      if (clusterProblem(error).reason !== "AlreadyExists") throw error;
    });
  }
}

function claim({ settings }: Runtime, kept: KeptWorkspace, name: string, sizeBytes: number): V1PersistentVolumeClaim {
  const labels = { ...instanceLabels(settings.instance), [labelNames.team]: labelValue(kept.teamId), [labelNames.workspace]: kept.scope };
  return {
    metadata: { name, labels, annotations: { [workspaceAnnotation]: JSON.stringify(kept) } },
    spec: {
      accessModes: [settings.accessMode],
      resources: { requests: { storage: String(sizeBytes) } },
      ...(settings.storageClass !== undefined && { storageClassName: settings.storageClass }),
    },
  };
}

export function claimKeeper(runtime: Runtime): WorkspaceKeeper {
  const { core, namespace } = runtime.cluster;
  const labelSelector = `${selectorOf(instanceLabels(runtime.settings.instance))},${labelNames.workspace}`;
  return {
    async list() {
      const { items } = await core.listNamespacedPersistentVolumeClaim({ namespace, labelSelector });
      const open = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
      return open.flatMap(({ metadata }) => readKept(metadata?.annotations?.[workspaceAnnotation]));
    },
    async remove(workspace) {
      await core.deleteNamespacedPersistentVolumeClaim({ namespace, name: volumeName(workspace) }).catch((error: unknown) => {
        if (clusterProblem(error).code !== 404) throw error;
      });
    },
  };
}

/** Something may have written to it. */
function readKept(text: string | undefined): KeptWorkspace[] {
  try {
    const { teamId, scope, ownerId } = JSON.parse(text ?? "") as Partial<KeptWorkspace>;
    const isWhole = typeof teamId === "string" && typeof ownerId === "string" && (scope === "workflow" || scope === "workflowrun");
    return isWhole ? [{ teamId, scope, ownerId }] : [];
  } catch {
    return [];
  }
}
