import { createMasker } from "../../base/secret/mask.ts";
import type { Job, JobHandle, JobOutcome, JobPlace, TakeLines } from "../../engine/executor.ts";
import { type AttemptState, checkTask, haltAttempt, startDeadline } from "../steps/attempt-state.ts";
import { containerShares } from "../steps/container-shares.ts";
import { failed, invalid, type StopCause, spawnVerdict, stoppedVerdict, type Verdict } from "../steps/outcomes.ts";
import { AttemptOutput } from "../steps/step-output.ts";
import { StepProblem } from "../steps/step-problem.ts";
import type { AttemptRun } from "./attempt-run.ts";
import { judgeEngine, judgeFailure } from "./container-verdict.ts";
import { runSteps } from "./run-steps.ts";
import type { Runtime } from "./runtime.ts";
import type { StepContainer } from "./step-container.ts";

type Ending = { verdict: Verdict; results: JobOutcome["results"] };

/** Runs one attempt in containers, from its folder to its outcome. Every failure on the way becomes an outcome. */
export function runAttempt(runtime: Runtime, given: Job, onLines: TakeLines): JobHandle {
  const shares = containerShares(given);
  const job = { ...given, limits: shares.steps };
  const state: AttemptState<StepContainer> = { isOver: false };
  const stopping = new AbortController();
  const halt = (cause: StopCause, graceMs: number): void => {
    haltAttempt(state, cause, graceMs);
    stopping.abort();
  };
  const masker = createMasker(job.secrets);
  const run: AttemptRun = {
    runtime,
    job,
    state,
    masker,
    output: new AttemptOutput(masker, job.limits.outputBytes, onLines),
    sidecars: shares.sidecars.map((limits) => ({ limits, output: new AttemptOutput(masker, limits.outputBytes, onLines) })),
    halt,
    stopped: stopping.signal,
    place: {},
    waits: {},
    removals: [],
  };

  const finish = async (): Promise<JobOutcome> => {
    const stopDeadline = startDeadline(job.timeoutMs, () => halt({ why: "timedout" }, runtime.settings.graceMs));
    try {
      const { verdict, results } = await settle(run);
      const { waits } = run;
      // A parameter may name an image.
      const place = masker.maskValue(run.place) as JobPlace;
      const isolation = runtime.watch.engine?.facts.kind ?? "none";
      const begun = verdict.status === "lost" && { hasBegun: state.hasBegun === true };
      return { ...verdict, ...begun, message: masker.maskText(verdict.message), results, isolation, host: runtime.host, place, waits };
    } finally {
      stopDeadline();
      state.isOver = true;
    }
  };
  return { done: finish(), stop: (why, graceMs) => halt({ why }, graceMs) };
}

async function settle(run: AttemptRun): Promise<Ending> {
  const { job, state } = run;
  const problem = checkTask(job, true);
  if (problem) return { verdict: problem, results: [] };
  try {
    if (state.cause) return { verdict: stoppedVerdict(state.cause, undefined, job.timeoutMs), results: [] };
    return await runSteps(run);
  } catch (error) {
    if (state.cause) return { verdict: stoppedVerdict(state.cause, undefined, job.timeoutMs), results: [] };
    return { verdict: await describeFailure(error, run), results: [] };
  }
}

async function describeFailure(error: unknown, { runtime }: AttemptRun): Promise<Verdict> {
  if (error instanceof StepProblem) return invalid("InvalidTask", error.message);
  if (runtime.machine.blame(error)) return spawnVerdict(undefined, error as Error);
  const judged = judgeFailure(error, runtime.watch.engine?.address ?? "not known");
  if (judged) return judgeEngine(judged.verdict, error, runtime.watch);
  const cause = error instanceof Error ? error : new Error(String(error));
  if ((cause as NodeJS.ErrnoException).code === "EEXIST") return failed("ExecutorError", "this attempt is already running here");
  return spawnVerdict(undefined, cause);
}
