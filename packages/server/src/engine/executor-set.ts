import { type MachineFault, machineFaultOf } from "../base/error/machine-fault.ts";
import { meets, needsMet, type RunNeed } from "../core/task/place-task.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import { noPlace, workspacePlace } from "../core/worker/workspace-place.ts";
import type { Executor, WorkspaceKeeper } from "./executor.ts";

/** The executors of a worker, most wanted first. Whether each works is asked again each time: an engine goes away and comes back. */
export class ExecutorSet {
  readonly #executors: readonly Executor[];

  constructor(executors: readonly Executor[]) {
    this.#executors = executors;
  }

  /** Those that the worker was asked to have. */
  get configured(): ExecutorKind[] {
    return this.#executors.map(({ kind }) => kind);
  }

  /** Those that work now. */
  get available(): ExecutorKind[] {
    return this.#executors.filter((executor) => executor.describe().available).map(({ kind }) => kind);
  }

  /** Faults of the machine for which some do not work now, in words for everyone. */
  get faults(): Partial<Record<ExecutorKind, string>> {
    return Object.fromEntries(
      this.#executors.flatMap((executor) => {
        const { fault } = executor.describe();
        return fault === undefined ? [] : [[executor.kind, fault]];
      }),
    );
  }

  /** Tells all of them of an error that was met outside of them. @returns the machine's part in it */
  blame(error: unknown): MachineFault | undefined {
    for (const executor of this.#executors) executor.blame?.(error);
    return machineFaultOf(error);
  }

  /** What may be claimed now. */
  get needs(): RunNeed[] {
    return needsMet(this.available);
  }

  /** For each of the needs where its tasks find their workspaces. @param folder id of the worker's folder of workspaces */
  placesOf(needs: readonly RunNeed[], folder: string | undefined): string[] {
    return needs.map((need) => workspacePlace(this.choose(need)?.kind, folder) ?? noPlace);
  }

  /** Which of them does it: the most wanted that works, else one that would if it worked, and says itself what is in the way. */
  choose(need: RunNeed): Executor | undefined {
    const able = this.#executors.filter(({ kind }) => meets(kind, need));
    return able.find((executor) => executor.describe().available) ?? able[0];
  }

  /** Where workspaces are kept beside the folders of this machine. */
  get keepers(): WorkspaceKeeper[] {
    return this.#executors.flatMap(({ workspaces }) => (workspaces ? [workspaces] : []));
  }
}
