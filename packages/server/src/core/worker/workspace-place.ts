import type { ExecutorKind } from "../task/tekton/runnable.ts";

/**
 * Where workspaces are: in a folder of workspaces, named by the id that is kept in it, or in the cluster. The tasks of a run that
 * share a folder all go to workers with the same one; the worker that claims the first of them decides which
 * (store/functions/workspace-places.sql).
 */

/** The volumes of the cluster. */
export const clusterPlace = "cluster";
/** Of task runs without workspaces, which any worker may claim; of a worker, that it has no folder for them. */
export const noPlace = "";
/** Of task runs whose workspaces nobody has taken yet. */
export const undecidedPlace = "?";

/** Of workspaces that are only in the store, and of task runs that need one of them. */
export const storePlace = "store";

/** Where tasks on an executor of that kind find their workspaces. @param folder id of the worker's folder of workspaces */
export function workspacePlace(kind: ExecutorKind | undefined, folder: string | undefined): string | undefined {
  return kind === "kubernetes" ? clusterPlace : folder;
}
