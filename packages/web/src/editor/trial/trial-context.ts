import { createContext, useContext } from "react";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import type { ParamValues } from "../../forms/parameter-values.ts";
import type { StartedTrial, StepOutput, TrialScope } from "./trial-state.ts";

/** The trials of one draft: what ran, what its tasks gave, and what is pinned. */
export interface TrialSession {
  /** @param params instead of those of the session; they are its own from then on */
  start: (scope: TrialScope, params?: ParamValues) => Promise<unknown>;
  /** Why nothing can be tried. */
  whyNot: string | undefined;
  isStarting: boolean;
  /** Why the last try was refused. */
  error: unknown;
  forgetError: () => void;
  /** The newest one, with its run as far as it is known. */
  latest: { started: StartedTrial; run: Run | undefined } | undefined;
  outputs: ReadonlyMap<string, StepOutput>;
  pins: ReadonlyMap<string, TaskPin>;
  setPin: (task: string, pin: TaskPin | undefined) => void;
  /** The values of the parameters that trials and previews are given. */
  params: ParamValues;
  setParams: (params: ParamValues) => void;
  /** The run whose values are used where nothing was tried; undefined: none. */
  fromRun: string | undefined;
  setFromRun: (run: string) => void;
  /** For the choice of it, the newest first. */
  recentRuns: readonly Run[];
}

export const TrialContext = createContext<TrialSession | undefined>(undefined);

/** Only below `TrialProvider`. */
export function useTrial(): TrialSession {
  const session = useContext(TrialContext);
  if (!session) throw new Error("trials are used outside of their workflow");
  return session;
}
