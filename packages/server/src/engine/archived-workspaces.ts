import type { KeptWorkspace, WorkspaceKeeper } from "./executor.ts";
import type { WorkspaceStore } from "./workspace-store.ts";

/** Interval of listing the store, which takes a request for every thousand keys. */
const intervalMs = 10 * 60_000;

/** The archives in the store, for the clean-up of finished runs and deleted workflows. */
export function archivedWorkspaces(store: WorkspaceStore, clock: () => number = () => performance.now()): WorkspaceKeeper {
  let listedAt = Number.NEGATIVE_INFINITY;
  return {
    async list() {
      if (clock() - listedAt < intervalMs) return [];
      listedAt = clock();
      const found = new Map<string, KeptWorkspace>();
      for await (const key of store.list("")) {
        const [teamId = "", scope, ownerId = ""] = key.split("/");
        if (scope === "workflow" || scope === "workflowrun") found.set(`${teamId}/${scope}/${ownerId}`, { teamId, scope, ownerId });
      }
      return [...found.values()];
    },
    async remove({ teamId, scope, ownerId }) {
      for await (const key of store.list(`${teamId}/${scope}/${ownerId}/`)) await store.remove(key);
    },
  };
}
