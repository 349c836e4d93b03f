import type { Masker } from "../../base/secret/mask.ts";
import type { JobStep, PlainStep } from "../../core/task/tekton/job-steps.ts";
import type { JobOutcome } from "../../engine/executor.ts";
import { writeFixed, writeParameters } from "../folders/attempt-folder.ts";
import { openVolumes } from "../folders/volume-folders.ts";
import { concludeAttempt, openWorkspaces } from "../folders/watched-folders.ts";
import { causeOfBreach, judgeOwnFault } from "../machine/judge-fault.ts";
import { haltAttempt } from "../steps/attempt-state.ts";
import { invalid, stoppedVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { readResultFile } from "../steps/read-results.ts";
import { stepFiles } from "../steps/step-command.ts";
import type { StepEnd } from "../steps/step-end.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { conditionNote, stepTurn } from "../steps/step-turn.ts";
import { type SandboxAhead, writeCommand } from "./ahead/sandbox-ahead.ts";
import { attemptProcesses } from "./attempt-processes.ts";
import { judgeStep, launchStep, needsEgress, openMemoryWatch, openWatch, type Stage } from "./attempt-stage.ts";
import { launcherLimits } from "./launcher-limits.ts";
import { type PreparedStep, prepareSteps } from "./prepare-steps.ts";
import { openStepEgress } from "./step-egress.ts";

export type AttemptStage = Stage & { masker: Masker };
export type AttemptRun = Omit<AttemptStage, "group" | "processes" | "egress"> & {
  /** For its first step; ended by the code that took it. */
  ahead?: SandboxAhead | undefined;
};
export type AttemptEnding = { verdict: Verdict; results: JobOutcome["results"] };

/** A step that is ready, and the function that runs it. */
interface ReadyStep {
  name: string;
  step: JobStep;
  /** @param filled the step with its values */
  run(filled: PlainStep): Promise<StepEnd>;
}

/** The chosen sandbox has not started the job: another one can. */
export class NotBegun extends Error {}

/** Runs the steps in order and reads what they leave. What it created on the machine is removed at the end. */
export async function runSteps(run: AttemptRun): Promise<AttemptEnding> {
  const { runtime, job, attempt, state } = run;
  const { ahead: made } = run;
  const group = made ? made.assignGroup(job.limits, job.teamId) : runtime.groups?.take(job.limits, job.teamId);
  runtime.teamAttempts.begin(job.teamId);
  const isOwnUser = attempt.identity !== undefined && runtime.identities?.isDisposable(attempt.identity) === true;
  let ahead = made;
  const stage: AttemptStage = { ...run, group, processes: attemptProcesses(runtime.level, attempt, group, isOwnUser) };
  const prepare = async (): Promise<ReadyStep[]> => {
    const view = runtime.level.view(attempt);
    const say = (line: string): void => run.output.say(state.step?.name ?? "", line);
    const egress = needsEgress(run) ? await openStepEgress({ ...runtime, job, attempt, view, say }) : undefined;
    if (egress) stage.egress = egress;
    const [steps] = await Promise.all([
      prepareSteps({ job, attempt, view, limits: launcherLimits(runtime, job, isOwnUser), egress }),
      writeParameters(job, attempt),
      openWorkspaces(job.workspaces, attempt.identity),
      job.volumes && openVolumes(job, attempt),
    ]);
    const launch = async (step: PreparedStep): Promise<StepEnd> => {
      const sandbox = ahead;
      ahead = undefined;
      const isIn = sandbox !== undefined && (await writeCommand(sandbox, step.argv));
      if (!isIn) await sandbox?.end();
      return runStep(stage, step, isIn ? sandbox : undefined);
    };
    return steps.map(({ name, step, prepare }) => ({ name, step, run: async (filled) => launch(await prepare(filled)) }));
  };
  try {
    return await runWatched(stage, prepare);
  } finally {
    runtime.teamAttempts.end(job.teamId);
    await stage.egress?.close();
    // One that was not needed is in the group.
    await made?.end();
    await group?.release();
  }
}

/** Runs steps in order while their limits are watched, and reads what they leave. @throws NotBegun, which leaves the attempt unchanged */
export async function runWatched(stage: AttemptStage, prepare: () => Promise<ReadyStep[]>): Promise<AttemptEnding> {
  const { runtime, state } = stage;
  const watch = openWatch(stage);
  const memory = openMemoryWatch(stage);
  let isOver = true;
  try {
    const steps = await prepare();
    await watch.measure();
    watch.start((breach, error) => haltAttempt(state, causeOfBreach(runtime.machine, breach, error), runtime.settings.graceMs));
    // Without a grace period, as where the kernel limits memory.
    await memory?.start((breach, error) => haltAttempt(state, causeOfBreach(runtime.machine, breach, error), 0));
    const verdict = await runInOrder(stage, steps);
    state.isOver = true;
    watch.stop();
    memory?.stop();
    return await concludeAttempt(
      { ...stage, sizes: runtime.workspaceSizes, watch, machine: runtime.machine, owner: stage.attempt.identity?.uid },
      verdict,
    );
  } catch (error) {
    isOver = !(error instanceof NotBegun);
    if (!isOver) throw error;
    if (error instanceof StepProblem) return { verdict: invalid("InvalidTask", error.message), results: [] };
    const verdict = await judgeOwnFault(error, watch, state);
    await watch.reclaim();
    if (verdict) return { verdict, results: [] };
    throw error;
  } finally {
    state.isOver = isOver;
    watch.stop();
    memory?.stop();
  }
}

async function runInOrder(stage: Stage, steps: readonly ReadyStep[]): Promise<Verdict> {
  const { state, job, attempt } = stage;
  for (const ready of steps) {
    if (state.cause) break;
    const ended = await takeTurn(stage, ready);
    if ("verdict" in ended) return ended.verdict;
    // Only for the steps that follow: after the last one nothing is written, since the disk may be full.
    if (ready !== steps.at(-1)) await writeFixed(attempt, "steps", stepFiles(ready.name).exitCode, `${ended.exitCode}`);
  }
  return state.cause ? stoppedVerdict(state.cause, undefined, job.timeoutMs) : succeeded;
}

/** @returns the attempt's verdict if it ends with this step; otherwise the exit code with which the attempt continues */
async function takeTurn(stage: Stage, ready: ReadyStep): Promise<{ verdict: Verdict } | { exitCode: number }> {
  const { state, output, job, attempt } = stage;
  const { name, step } = ready;
  const results = `${attempt.writable}/results`;
  const turn = await stepTurn(step, name, (file, limitBytes) => readResultFile(results, file, limitBytes, attempt.identity?.uid));
  if ("verdict" in turn) return turn;
  if ("isSkipped" in turn) {
    output.say(name, conditionNote);
    return { exitCode: 0 };
  }
  const { verdict, exitCode } = await judgeStep(stage, name, await runInTime(stage, ready, turn.step));
  if (state.cause) return { verdict: stoppedVerdict(state.cause, name, job.timeoutMs) };
  if (verdict.status === "succeeded") return { exitCode };
  if (step.onError !== "continue" || verdict.exitCode === undefined) return { verdict };
  output.say(name, `${verdict.message}; the task continues, because the step has onError: continue`);
  return { exitCode };
}

async function runInTime(stage: Stage, { step, run }: ReadyStep, filled: PlainStep): Promise<StepEnd> {
  const timer = step.timeoutMs === undefined ? undefined : setTimeout(stopStep, step.timeoutMs, stage, step.timeoutMs);
  try {
    return await run(filled);
  } finally {
    clearTimeout(timer);
  }
}

function runStep(stage: Stage, { name, argv, mounts, notes }: PreparedStep, ahead?: SandboxAhead): Promise<StepEnd> {
  const { runtime, job, state, output } = stage;
  for (const note of notes) output.say(name, note);
  if (job.debug) output.say(name, `starts, isolated by ${runtime.level.name}`);
  const process = launchStep(stage, {
    argv,
    mounts,
    ahead,
    onOutput: (reader, lastWords) => output.read(name, "output", reader, lastWords),
  });
  state.step = { name, unit: process };
  // Not before: the start of this step comes first.
  runtime.ahead?.makeNext();
  return process.ended;
}

function stopStep({ state, runtime }: Stage, afterMs: number): void {
  haltAttempt(state, { why: "step-timedout", afterMs }, runtime.settings.graceMs);
}
