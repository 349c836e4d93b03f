import type { ExecutorKind } from "../task/tekton/runnable.ts";

/**
 * Where workspaces are: in a workspace folder, identified by the id stored in it, or in the cluster. The tasks of a run that share a folder
 * all go to workers with the same one; the worker that claims the first of them decides which (store/functions/workspace-places.sql).
 */

/** The volumes of the cluster. */
export const clusterPlace = "cluster";
/** For task runs without workspaces, which any worker may claim. For a worker: it has no workspace folder. */
export const noPlace = "";
/** For task runs whose workspaces have no place yet. */
export const undecidedPlace = "?";

/** For workspaces that are only in the store, and for task runs that need one of them. */
export const storePlace = "store";

/** Where tasks on an executor of that kind find their workspaces. @param folder id of the worker's workspace folder */
export function workspacePlace(kind: ExecutorKind | undefined, folder: string | undefined): string | undefined {
  return kind === "kubernetes" ? clusterPlace : folder;
}
