import type { ExecutorKind } from "../task/tekton/runnable.ts";

/** What is known of how an attempt ran, apart from how it ended. Of one that was lost or taken away that may be little. */
export interface AttemptFacts {
  executor?: ExecutorKind;
  /** The sandbox level or the runtime that held it. */
  isolation?: string;
  /** The worker's machine. */
  host?: string;
  place?: AttemptPlace;
  waits?: AttemptWaits;
}

/** Where it ran, as far as that says more than the worker's machine. */
export interface AttemptPlace {
  /** Node of the cluster. */
  node?: string;
  /** Name of the pod or container. */
  unit?: string;
  images?: { step: string; image: string; digest?: string }[];
}

/** How long it waited for what before its first step began, in ms. */
export interface AttemptWaits {
  /** From its turn to the claim by a worker, by the clock of the database. */
  queueMs?: number;
  /** For a quota of the cluster. */
  quotaMs?: number;
  schedulingMs?: number;
  imagePullMs?: number;
  startMs?: number;
}
