import type { JobMount } from "../../core/task/tekton/volumes/volume-mounts.ts";
import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import { LimitWatch } from "../folders/limit-watch.ts";
import { inMebibytes } from "../folders/measure-tree.ts";
import { volumeMounts } from "../folders/volume-folders.ts";
import { watchedFolders } from "../folders/watched-folders.ts";
import { findFaultBehind } from "../machine/judge-fault.ts";
import { readMachineMemory } from "../machine/machine-memory.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import { failed, lost, sandboxError, stepVerdict, succeeded, type Verdict } from "../steps/outcomes.ts";
import { type StepEnd, signalNumber } from "../steps/step-end.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import { nicenessOf } from "../steps/team-shares.ts";
import type { SandboxAhead } from "./ahead/sandbox-ahead.ts";
import type { AttemptProcesses } from "./attempt-processes.ts";
import type { AttemptGroup } from "./control-groups/attempt-group.ts";
import { nicely } from "./isolation/launcher.ts";
import { checkWorkspaceMounts, type Launch } from "./isolation/level.ts";
import { mostWatches } from "./launcher-limits.ts";
import { MemoryWatch, readNamespaceSegments, readUserSegments } from "./memory/memory-watch.ts";
import type { InputPipe, OutputPipe } from "./output-pipes.ts";
import { endProcessesOfFolder } from "./process-table.ts";
import type { Runtime } from "./runtime.ts";
import type { StepEgress } from "./step-egress.ts";
import { type StepProcess, startStepProcess } from "./step-process.ts";

/** What steps run in: the folder, the control group and the proxy of one attempt, or of several in a kept sandbox. */
export interface SandboxContext {
  runtime: Runtime;
  job: Job;
  attempt: Attempt;
  group: AttemptGroup | undefined;
  processes: AttemptProcesses;
  /** Set once it exists. */
  egress?: StepEgress;
}

/** The same for one attempt. */
export interface Stage extends SandboxContext {
  state: AttemptState<StepProcess>;
  output: AttemptOutput;
}

/** Where steps have a network of their own, only the network `outbound` takes more than the sandbox itself. */
export function needsEgress({ runtime, job }: Pick<SandboxContext, "runtime" | "job">): boolean {
  return !runtime.level.hasOwnNetwork || job.network === "outbound";
}

export function openWatch(stage: Stage): LimitWatch {
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

/** Undefined: the kernel limits its memory. */
export function openMemoryWatch(stage: Stage): MemoryWatch | undefined {
  const { runtime, job, attempt, state, processes } = stage;
  if (runtime.groups?.limitsMemory) return undefined;
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
    // A separate process namespace comes with a separate IPC namespace.
    readSegments: ([pid]) =>
      runtime.level.hasOwnProcesses && pid !== undefined ? readNamespaceSegments(pid, isRoot) : readUserSegments(uid),
    readMachine: readMachineMemory,
  });
}

function describeSockets({ egress }: Stage): string[] {
  return egress?.descriptions() ?? [];
}

/** Processes of the running step. */
async function findProcesses({ state, group, processes }: Stage): Promise<number[]> {
  const root = state.step?.unit.pid;
  if (root === undefined) return [];
  // This is one short file, whereas the table of all processes of the machine is hundreds of files.
  return group?.processes() ?? processes.find(root);
}

interface LaunchedStep {
  argv: readonly string[];
  /** Mounts of volumes. */
  mounts?: JobMount[] | undefined;
  input?: InputPipe;
  /** The sandbox that was made for it; it has its command. */
  ahead?: SandboxAhead | undefined;
  /** @param lastWords what the program of the sandbox prints if it was killed */
  onOutput(reader: OutputPipe["reader"], lastWords: string | undefined): void;
}

export function launchStep(context: SandboxContext, step: LaunchedStep): StepProcess {
  const { runtime, attempt, processes } = context;
  const { ahead, input, onOutput } = step;
  const launch = ahead ? { sandbox: ahead } : launchOf(context, step);
  const { lastWords } = ahead ?? (launch as Launch);
  return startStepProcess({
    launch,
    pipes: runtime.pipes,
    spawner: runtime.spawner,
    input,
    onOutput: (reader) => onOutput(reader, lastWords),
    findProcesses: processes.find,
    killAll: processes.killAll,
    killLeftovers: processes.killLeftovers,
    killUnknown: () => endProcessesOfFolder(attempt.folder),
  });
}

function launchOf({ runtime, job, attempt, group }: SandboxContext, { argv, mounts }: LaunchedStep): Launch {
  const workspaces = runtime.level.hasOwnFiles && job.workspaces.length > 0 ? checkWorkspaceMounts(job) : [];
  const ofVolumes = job.volumes ? volumeMounts(job, attempt, { ...(mounts && { mounts }) }) : [];
  const volumes = ofVolumes.map(({ isReadOnly, ...mount }) => ({ ...mount, readOnly: isReadOnly }));
  const launch = runtime.level.launch({
    attempt,
    argv,
    network: job.network,
    folders: [...workspaces, ...volumes.filter(({ isFile }) => !isFile)],
    files: volumes.filter(({ isFile }) => isFile),
    workspaceSources: job.workspaces.map(({ source }) => source),
    joinFiles: group?.joinFiles ?? [],
  });
  return runtime.groups?.sharesProcessors ? launch : nicely(launch, nicenessOf(runtime.teamAttempts.count(job.teamId)));
}

/** How a step has ended, and the resulting verdict of its attempt. */
export async function judgeStep(stage: Stage, name: string, ended: StepEnd): Promise<{ verdict: Verdict; exitCode: number }> {
  const { state, runtime, output } = stage;
  // The sandbox program was killed: it fails then and prints a message that is not output of the step.
  const end = ended.exitCode === 1 && output.hasLastWords ? { ...ended, exitCode: 128 + signalNumber("SIGKILL") } : ended;
  if (end.error) runtime.machine.blame(end.error);
  if (end.error === undefined || end.mayHaveBegun) state.hasBegun = true;
  return { verdict: await judge(stage, name, end), exitCode: end.exitCode };
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
