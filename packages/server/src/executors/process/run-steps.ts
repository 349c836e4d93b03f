import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobOutcome } from "../../engine/executor.ts";
import { type Attempt, writeFixed, writeParameters } from "../folders/attempt-folder.ts";
import { concludeAttempt } from "../folders/conclude-attempt.ts";
import { LimitWatch } from "../folders/limit-watch.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import { watchedFolders } from "../folders/watched-folders.ts";
import { openWorkspaces } from "../folders/workspaces.ts";
import { causeOfBreach, findFaultBehind, judgeOwnFault } from "../machine/judge-fault.ts";
import { readMachineMemory } from "../machine/machine-memory.ts";
import { type AttemptState, haltAttempt } from "../steps/attempt-state.ts";
import { failed, invalid, lost, sandboxError, stepVerdict, stoppedVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { stepFiles } from "../steps/places.ts";
import { type StepEnd, signalNumber } from "../steps/step-end.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { nicenessOf } from "../steps/team-shares.ts";
import { type AttemptProcesses, attemptProcesses } from "./attempt-processes.ts";
import type { AttemptGroup } from "./control-groups/attempt-group.ts";
import { nicely } from "./isolation/launcher.ts";
import { launcherLimits, mostWatches } from "./launcher-limits.ts";
import { MemoryWatch, readNamespaceSegments, readUserSegments } from "./memory/memory-watch.ts";
import { type PreparedStep, prepareSteps } from "./prepare-steps.ts";
import { endProcessesOfFolder } from "./process-table.ts";
import type { Runtime } from "./runtime.ts";
import { openStepEgress, type StepEgress } from "./step-egress.ts";
import { type StepProcess, startStepProcess } from "./step-process.ts";
import { checkWorkspaceMounts } from "./workspace-mounts.ts";

export interface AttemptRun {
  runtime: Runtime;
  job: Job;
  attempt: Attempt;
  state: AttemptState<StepProcess>;
  masker: Masker;
  output: AttemptOutput;
}

/** What the steps of one attempt run in. */
interface Stage extends AttemptRun {
  group: AttemptGroup | undefined;
  processes: AttemptProcesses;
  /** Once there is one. */
  egress?: StepEgress;
}

/** Runs the steps in order and reads what they leave. What it made in the machine is gone when it ends. */
export async function runSteps(run: AttemptRun): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const { runtime, job, attempt, state } = run;
  const group = runtime.groups?.take(job.limits, job.teamId);
  runtime.teamAttempts.begin(job.teamId);
  const isOwnUser = attempt.identity !== undefined && runtime.identities?.isDisposable(attempt.identity) === true;
  const stage: Stage = { ...run, group, processes: attemptProcesses(runtime.level, attempt, group, isOwnUser) };
  const watch = openWatch(stage);
  const memory = runtime.groups?.limitsMemory ? undefined : openMemoryWatch(stage);
  try {
    const view = runtime.level.view(attempt);
    const egress = await openStepEgress({ ...runtime, job, attempt, view, say: (line) => run.output.say(state.step?.name ?? "", line) });
    if (egress) stage.egress = egress;
    const [steps] = await Promise.all([
      prepareSteps({ job, attempt, view, limits: launcherLimits(runtime, job, isOwnUser), egress }),
      writeParameters(job, attempt),
      openWorkspaces(job.workspaces, attempt.identity),
    ]);
    await watch.measure();
    watch.start((breach, error) => haltAttempt(state, causeOfBreach(runtime.machine, breach, error), runtime.settings.graceMs));
    // Without grace, as where the kernel limits memory.
    await memory?.start((breach, error) => haltAttempt(state, causeOfBreach(runtime.machine, breach, error), 0));
    const verdict = await runInOrder(stage, steps);
    state.isOver = true;
    watch.stop();
    memory?.stop();
    return await concludeAttempt({ ...run, sizes: runtime.workspaceSizes, watch, machine: runtime.machine }, verdict);
  } catch (error) {
    if (error instanceof StepProblem) return { verdict: invalid("InvalidTask", error.message), results: [] };
    const verdict = await judgeOwnFault(error, watch, state);
    await watch.takeBack();
    if (verdict) return { verdict, results: [] };
    throw error;
  } finally {
    state.isOver = true;
    watch.stop();
    memory?.stop();
    runtime.teamAttempts.end(job.teamId);
    await stage.egress?.close();
    await group?.release();
  }
}

function openWatch(stage: Stage): LimitWatch {
  const { runtime, job, attempt } = stage;
  const { settings, workspaceSizes, level } = runtime;
  const folders = watchedFolders(job, attempt, settings.scratchBytes, workspaceSizes, level.hasOwnFiles);
  return new LimitWatch({
    folders,
    findProcesses: () => findProcesses(stage),
    describeSockets: () => describeSockets(stage),
    mostWatches: mostWatches(attempt.identity),
  });
}

function openMemoryWatch(stage: Stage): MemoryWatch {
  const { runtime, job, attempt, state, processes } = stage;
  const isRoot = process.geteuid?.() === 0;
  const uid = attempt.identity?.uid ?? process.geteuid?.() ?? 0;
  return new MemoryWatch(runtime.memoryGuard, {
    limitBytes: job.limits.memoryBytes,
    findProcesses: () => findProcesses(stage),
    describeSockets: () => describeSockets(stage),
    countResident: async () => {
      const root = state.step?.unit.pid;
      return root === undefined ? 0 : processes.countMemory(root);
    },
    // A process space of its own comes with an IPC namespace of its own.
    readSegments: ([pid]) =>
      runtime.level.hasOwnProcesses && pid !== undefined ? readNamespaceSegments(pid, isRoot) : readUserSegments(uid),
    readMachine: readMachineMemory,
  });
}

function describeSockets({ egress }: Stage): string[] {
  return egress?.descriptions() ?? [];
}

/** Of the running step. */
async function findProcesses({ state, group, processes }: Stage): Promise<number[]> {
  const root = state.step?.unit.pid;
  if (root === undefined) return [];
  // A short file, where the table of all processes of the machine is hundreds of them.
  return group?.processes() ?? processes.find(root);
}

async function runInOrder(stage: Stage, steps: readonly PreparedStep[]): Promise<Verdict> {
  const { state, output, job, attempt } = stage;
  for (const prepared of steps) {
    if (state.cause) break;
    const { verdict, exitCode } = await runStep(stage, prepared);
    if (state.cause) return stoppedVerdict(state.cause, prepared.name, job.timeoutMs);
    if (verdict.status !== "succeeded") {
      if (prepared.step.onError !== "continue" || verdict.exitCode === undefined) return verdict;
      output.say(prepared.name, `${verdict.message}; the task continues, because the step has onError: continue`);
    }
    // For those that come after it: that the last one is over needs no room on a disk.
    if (prepared !== steps.at(-1)) await writeFixed(attempt, "steps", stepFiles(prepared.name).exitCode, `${exitCode}`);
  }
  return state.cause ? stoppedVerdict(state.cause, undefined, job.timeoutMs) : succeeded;
}

async function runStep(stage: Stage, prepared: PreparedStep): Promise<{ verdict: Verdict; exitCode: number }> {
  const { runtime, job, attempt, state, output, group, processes } = stage;
  const { name, step } = prepared;
  for (const note of prepared.notes) output.say(name, note);
  if (job.debug) output.say(name, `starts, isolated by ${runtime.level.name}`);
  const workspaces = runtime.level.hasOwnFiles ? checkWorkspaceMounts(job) : [];
  const launch = runtime.level.launch({
    attempt,
    argv: prepared.argv,
    network: job.network,
    workspaces,
    workspaceSources: job.workspaces.map(({ source }) => source),
    joinFiles: group?.joinFiles ?? [],
  });
  const process = startStepProcess({
    launch: runtime.groups?.sharesProcessors ? launch : nicely(launch, nicenessOf(runtime.teamAttempts.count(job.teamId))),
    pipes: runtime.pipes,
    spawner: runtime.spawner,
    group,
    onOutput: (reader) => output.read(name, "output", reader, launch.lastWords),
    findProcesses: processes.find,
    killAll: processes.killAll,
    killLeftovers: processes.killLeftovers,
    killUnknown: () => endProcessesOfFolder(attempt.folder),
  });
  state.step = { name, unit: process };
  const timer = step.timeoutMs === undefined ? undefined : setTimeout(stopStep, step.timeoutMs, stage, step.timeoutMs);
  const ended = await process.ended;
  // Its launcher fails then, and says so in words that are no output of the step.
  const end = ended.exitCode === 1 && output.hasLastWords ? { ...ended, exitCode: 128 + signalNumber("SIGKILL") } : ended;
  clearTimeout(timer);
  if (end.error) runtime.machine.blame(end.error);
  if (end.error === undefined || end.mayHaveBegun) state.hasBegun = true;
  return { verdict: await judge(stage, name, end), exitCode: end.exitCode };
}

function stopStep({ state, runtime }: Stage, afterMs: number): void {
  haltAttempt(state, { why: "step-timedout", afterMs }, runtime.settings.graceMs);
}

async function judge({ job, group, output, runtime }: Stage, name: string, end: StepEnd): Promise<Verdict> {
  if (end.exitCode === 0) return succeeded;
  const lastLines = output.lastLines();
  const complaint = sandboxError(end.exitCode, lastLines.at(-1) ?? "");
  const { exitCode } = end;
  const fault = await findFaultBehind(runtime.machine, { exitCode, lastLines, isOfSandbox: complaint !== undefined });
  if (fault) return lost("MachineFault", `step "${name}" ended with exit code ${exitCode}, and ${fault.words}`);
  if (complaint) return failed("ExecutorError", `step "${name}" could not be started; the sandbox reported: ${complaint}`);
  return stepVerdict(name, end, group?.countOutOfMemory() ?? 0, inMebibytes(job.limits.memoryBytes));
}
