import { setTimeout as pause } from "node:timers/promises";
import type { Attempt } from "../folders/attempt-folder.ts";
import { defaultScratchBytes } from "../folders/limit-watch.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import type { NetworkMode } from "./attempt-network.ts";
import type { AttemptRun } from "./attempt-run.ts";
import type { FoundImage } from "./images/images.ts";
import type { Adopted } from "./leftovers.ts";
import type { StepContainer } from "./step-container.ts";

/** An attempt with its folder. */
export interface Stage extends AttemptRun {
  attempt: Attempt;
  network: NetworkMode;
  /** By their names in the task. */
  images: ReadonlyMap<string, FoundImage>;
  /** What another worker has begun, and where it goes on. */
  adopted: Adopted | undefined;
  /** When its images were there, on the monotonic clock in ms. */
  readyAt: number;
}

/** The engine counts all files of the container for an answer. */
const pauseMs = 2_000;

/**
 * Looks now and then at how much a step has written to the root of its image, where it may: that lies on the disk of the engine, which most
 * engines can't limit.
 *
 * @returns what ends the looking
 */
export function watchRoot({ runtime, halt }: Stage, container: StepContainer): () => void {
  const limitBytes = runtime.settings.scratchBytes ?? defaultScratchBytes;
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await pause(pauseMs, undefined, { signal: stopped.signal });
      const bytes = container.id === undefined ? 0 : await (runtime.watch.engine?.client.rootBytes(container.id) ?? 0);
      if (bytes <= limitBytes) continue;
      const message = `it wrote ${inMebibytes(bytes)} to the root file system of its image, more than the ${inMebibytes(limitBytes)} allowed`;
      return halt({ why: "breach", breach: { reason: "WorkspaceFull", message } }, runtime.settings.graceMs);
    }
  };
  void look().catch(() => undefined);
  return () => stopped.abort();
}
