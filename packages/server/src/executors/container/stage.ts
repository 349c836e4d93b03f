import type { Attempt } from "../folders/attempt-folder.ts";
import type { AttemptRun } from "./attempt-run.ts";
import type { FoundImage } from "./images/images.ts";
import type { Adopted } from "./leftovers.ts";
import type { NetworkMode } from "./network/attempt-network.ts";

/** An attempt with its folder. */
export interface Stage extends AttemptRun {
  attempt: Attempt;
  network: NetworkMode;
  /** By their names in the task. */
  images: ReadonlyMap<string, FoundImage>;
  /** What another worker has started, and where to continue. */
  adopted: Adopted | undefined;
  /** When its images were available, on the monotonic clock in ms. */
  readyAt: number;
}
