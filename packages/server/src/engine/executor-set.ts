import { type MachineFault, machineFaultOf } from "../base/error/machine-fault.ts";
import { meets, needsMet, type RunNeed } from "../core/task/place-task.ts";
import type { JobStep } from "../core/task/tekton/job-steps.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import { noPlace, workspacePlace } from "../core/worker/workspace-place.ts";
import type { Executor, WorkspaceKeeper } from "./executor.ts";

/** The executors of a worker, preferred ones first. Whether each works is checked each time, because an engine can disappear and return. */
export class ExecutorSet {
  readonly #executors: readonly Executor[];

  constructor(executors: readonly Executor[]) {
    this.#executors = executors;
  }

  /** Those that the worker is configured to have. */
  get configured(): ExecutorKind[] {
    return this.#executors.map(({ kind }) => kind);
  }

  /** Those that work now. */
  get available(): ExecutorKind[] {
    return this.#executors.filter((executor) => executor.describe().available).map(({ kind }) => kind);
  }

  /** Faults of the machine that prevent some of them from working now, worded for all users. */
  get faults(): Partial<Record<ExecutorKind, string>> {
    return Object.fromEntries(
      this.#executors.flatMap((executor) => {
        const { fault } = executor.describe();
        return fault === undefined ? [] : [[executor.kind, fault]];
      }),
    );
  }

  /** Reports an error outside of the executors to all of them. @returns the part that the machine has in it */
  blame(error: unknown): MachineFault | undefined {
    for (const executor of this.#executors) executor.blame?.(error);
    return machineFaultOf(error);
  }

  /** What may be claimed now. */
  get needs(): RunNeed[] {
    return needsMet(this.available);
  }

  /** For each of the needs, where its tasks find their workspaces. @param folder id of the worker's folder of workspaces */
  placesOf(needs: readonly RunNeed[], folder: string | undefined): string[] {
    return needs.map((need) => workspacePlace(this.choose(need)?.kind, folder) ?? noPlace);
  }

  /** Which executor runs it: the preferred one that works. Otherwise one that could run it, and reports itself why it can't. */
  choose(need: RunNeed): Executor | undefined {
    const able = this.#executors.filter(({ kind }) => meets(kind, need));
    return able.find((executor) => executor.describe().available) ?? able[0];
  }

  /** Where workspaces are besides the folders of this machine. */
  get keepers(): WorkspaceKeeper[] {
    return this.#executors.flatMap(({ workspaces }) => (workspaces ? [workspaces] : []));
  }
}

/**
 * The steps with the images that they use on that executor. As a process, a step ignores its image; in a container, a step without one uses
 * the default image of the instance.
 */
export function imagesOfSteps(steps: readonly JobStep[], kind: ExecutorKind, defaultImage: string | null): JobStep[] {
  return steps.map(({ image: named, ...step }) => {
    const image = kind === "process" ? undefined : named?.trim() || defaultImage;
    return image ? { ...step, image } : step;
  });
}
