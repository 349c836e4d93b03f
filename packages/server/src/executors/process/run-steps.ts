import type { Masker } from "../../base/mask.ts";
import type { Job, JobOutcome } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { defaultScratchBytes, inMebibytes, LimitWatch } from "../folders/limit-watch.ts";
import { openWorkspaces } from "../folders/workspaces.ts";
import { failed, invalid, sandboxComplaint, stepVerdict, stoppedVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { stepFiles } from "../steps/places.ts";
import { readResults } from "../steps/read-results.ts";
import type { StepEnd } from "../steps/step-end.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import { StepProblem } from "../steps/step-problem.ts";
import type { AttemptGroup } from "./attempt-group.ts";
import { type AttemptProcesses, attemptProcesses } from "./attempt-processes.ts";
import { type AttemptState, haltAttempt } from "./attempt-state.ts";
import { launcherLimits } from "./launcher-limits.ts";
import { type PreparedStep, prepareSteps, writeParameters } from "./prepare-steps.ts";
import type { Runtime } from "./runtime.ts";
import { startStepProcess } from "./step-process.ts";

export interface AttemptRun {
  runtime: Runtime;
  job: Job;
  attempt: Attempt;
  state: AttemptState;
  masker: Masker;
  output: AttemptOutput;
}

/** What the steps of one attempt run in. */
interface Stage extends AttemptRun {
  group: AttemptGroup | undefined;
  processes: AttemptProcesses;
}

/** Runs the steps in order and reads what they leave. What it made in the machine is gone when it ends. */
export async function runSteps(run: AttemptRun): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const { runtime, job, attempt, state } = run;
  const group = runtime.groups?.take(job.limits);
  const isOwnUser = attempt.identity !== undefined && runtime.identities?.isDisposable(attempt.identity) === true;
  const stage: Stage = { ...run, group, processes: attemptProcesses(runtime.level, attempt, group, isOwnUser) };
  const watch = openWatch(stage);
  try {
    const view = runtime.level.view(attempt);
    const [steps] = await Promise.all([
      prepareSteps(job, attempt, view, launcherLimits(runtime, job, isOwnUser)),
      writeParameters(job, attempt),
      openWorkspaces(job.workspaces, attempt.identity),
    ]);
    await watch.measure();
    watch.start((breach) => haltAttempt(state, { why: "breach", breach }, runtime.settings.graceMs));
    const verdict = await runInOrder(stage, steps);
    state.isOver = true;
    watch.stop();
    return await conclude(stage, watch, verdict);
  } catch (error) {
    if (error instanceof StepProblem) return { verdict: invalid("InvalidTask", error.message), results: [] };
    throw error;
  } finally {
    state.isOver = true;
    watch.stop();
    await group?.release();
  }
}

function openWatch({ runtime, job, attempt, state, processes }: Stage): LimitWatch {
  const scratch = {
    label: "its scratch folder",
    path: attempt.writable,
    limitBytes: runtime.settings.scratchBytes ?? defaultScratchBytes,
    knownBytes: 0,
    isTemporary: true,
  };
  const workspaces = job.workspaces
    .filter((workspace) => !workspace.readOnly)
    .map(({ name, source, sizeLimitBytes }) => ({
      label: `workspace "${name}"`,
      path: source,
      limitBytes: sizeLimitBytes,
      knownBytes: runtime.workspaceBytes.get(source),
    }));
  const count = async (): Promise<number> => {
    const root = state.step?.process.pid;
    return root === undefined ? 0 : processes.countMemory(root);
  };
  return new LimitWatch([scratch, ...workspaces], runtime.groups?.limitsMemory ? undefined : { limitBytes: job.limits.memoryBytes, count });
}

async function runInOrder(stage: Stage, steps: readonly PreparedStep[]): Promise<Verdict> {
  const { state, output, job } = stage;
  for (const prepared of steps) {
    if (state.cause) break;
    const verdict = await runStep(stage, prepared);
    if (state.cause) return stoppedVerdict(state.cause, prepared.name, job.timeoutMs);
    if (verdict.status === "succeeded") continue;
    if (prepared.step.onError !== "continue" || verdict.exitCode === undefined) return verdict;
    output.say(prepared.name, `${verdict.message}; the task goes on, as the step asks for`);
  }
  return state.cause ? stoppedVerdict(state.cause, undefined, job.timeoutMs) : succeeded;
}

async function runStep(stage: Stage, prepared: PreparedStep): Promise<Verdict> {
  const { runtime, job, attempt, state, output, group, processes } = stage;
  const { name, step } = prepared;
  for (const note of prepared.notes) output.say(name, note);
  if (job.debug) output.say(name, `begins, held by ${runtime.level.name}`);
  const launch = runtime.level.launch({
    attempt,
    argv: prepared.argv,
    network: job.network,
    workspaces: job.workspaces,
    joinFiles: group?.joinFiles ?? [],
  });
  const process = startStepProcess({
    launch,
    pipes: runtime.pipes,
    inherited: runtime.inherited,
    group,
    onOutput: (stream, reader) => output.read(name, stream, reader),
    findProcesses: processes.find,
    killAll: processes.killAll,
    killLeftovers: processes.killLeftovers,
  });
  state.step = { name, process };
  const timer = step.timeoutMs === undefined ? undefined : setTimeout(stopStep, step.timeoutMs, stage, step.timeoutMs);
  const end = await process.ended;
  clearTimeout(timer);
  await writeFixed(attempt, "steps", stepFiles(name).exitCode, `${end.exitCode}`);
  return judge(stage, name, end);
}

function stopStep({ state, runtime }: Stage, afterMs: number): void {
  haltAttempt(state, { why: "step-timedout", afterMs }, runtime.settings.graceMs);
}

function judge({ job, group, output }: Stage, name: string, end: StepEnd): Verdict {
  if (end.exitCode === 0) return succeeded;
  const complaint = sandboxComplaint(end.exitCode, output.lastErrorLine());
  if (complaint) return failed("ExecutorError", `step "${name}" could not be started: the sandbox says: ${complaint}`);
  return stepVerdict(name, end, group?.countOutOfMemory() ?? 0, inMebibytes(job.limits.memoryBytes));
}

async function conclude(stage: Stage, watch: LimitWatch, verdict: Verdict): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const { runtime, job, attempt, masker } = stage;
  const [{ results, problem }, breach] = await Promise.all([
    readResults(job, `${attempt.writable}/results`, attempt.identity?.uid, masker),
    watch.check(),
  ]);
  for (const { source } of job.workspaces) rememberSize(runtime.workspaceBytes, source, watch.sizeOf(source));
  if (verdict.status !== "succeeded") return { verdict, results };
  if (breach) return { verdict: failed(breach.reason, breach.message), results };
  return { verdict: problem ? failed(problem.reason, problem.message) : verdict, results };
}

const maxRemembered = 10_000;

function rememberSize(sizes: Map<string, number>, path: string, bytes: number | undefined): void {
  if (bytes === undefined) return;
  sizes.delete(path);
  sizes.set(path, bytes);
  const oldest = sizes.keys().next().value;
  if (sizes.size > maxRemembered && oldest !== undefined) sizes.delete(oldest);
}
