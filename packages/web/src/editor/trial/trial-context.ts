import { createContext, useContext } from "react";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import type { ParamValues } from "../../forms/parameter-values.ts";
import type { StartedTrial, StepOutput, TrialScope } from "./trial-state.ts";

/** The trials of one draft: what ran, the output of its tasks, and what is pinned. */
export interface TrialSession {
  /** @param params used instead of those of the session, and stored in the session */
  start: (scope: TrialScope, params?: ParamValues) => Promise<unknown>;
  /** Why no trial is possible. */
  whyNot: string | undefined;
  isStarting: boolean;
  /** Why the last trial was refused. */
  error: unknown;
  forgetError: () => void;
  /** The newest trial, with its run once that is loaded. */
  latest: { started: StartedTrial; run: Run | undefined } | undefined;
  outputs: ReadonlyMap<string, StepOutput>;
  pins: ReadonlyMap<string, TaskPin>;
  /** The pinned tasks that have been changed since, or a task before them. */
  stale: ReadonlySet<string>;
  setPin: (task: string, pin: TaskPin | undefined) => void;
  /** The parameter values for trials and previews. */
  params: ParamValues;
  setParams: (params: ParamValues) => void;
  /** The run whose values are used for tasks without a trial; undefined: none. */
  fromRun: string | undefined;
  setFromRun: (run: string) => void;
  /** The runs to choose from, newest first. */
  recentRuns: readonly Run[];
}

export const TrialContext = createContext<TrialSession | undefined>(undefined);

/** Usable only inside `TrialProvider`. */
export function useTrial(): TrialSession {
  const session = useContext(TrialContext);
  if (!session) throw new Error("trials are used outside of their workflow");
  return session;
}
