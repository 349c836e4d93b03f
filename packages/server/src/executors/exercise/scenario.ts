import { linesOfBlock, type StoredLine } from "../../core/log/log-lines.ts";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Executor, Job, JobHandle, JobOutcome, TakeLines } from "../../engine/executor.ts";

/**
 * What an executor guarantees beyond running steps. A scenario that needs a guarantee that is missing is skipped, with the reason in its
 * name.
 */
export interface Promises {
  /** What a step writes to a folder that everyone may write to is invisible to steps of other teams, and does not stay. */
  ownTemporaryFiles?: boolean;
  /** Steps run under our own filter of system calls. */
  filteredCalls?: boolean;
  /** Steps can't make others wait for a file that steps of all teams see. */
  noLeases?: boolean;
  /** Steps can't create user namespaces. */
  noNamespaces?: boolean;
  /** Steps can't see the service's files. */
  files: boolean;
  /** It mounts workspaces itself, on this machine; otherwise an engine or a cluster does. */
  ownMounts: boolean;
  /** `network: none` is enforced. */
  network: boolean;
  /** With a network, steps have that of the machine, including loopback; otherwise one of their own that leads outside. */
  loopback: boolean;
  /** `network: outbound` can't reach this machine, but what the setting names. Absent: it has no such network, or can't enforce it. */
  outbound?: boolean;
  /** The log of the step names what `outbound` refuses. */
  namesRefusals?: boolean;
  /** All processes that a step leaves behind are ended. */
  processes: boolean;
  /** Running out of memory has its own reason. */
  memory: boolean;
  /** If the machine runs out of memory, the kernel ends steps first, and a step can see that. */
  endsFirst?: boolean;
  /** The number of processes is limited. */
  processCount: boolean;
  /** It provides the bundled programs and its own Node. */
  programs: boolean;
  /** It runs sidecars beside the steps. */
  sidecars?: boolean;
  /** A task that makes a workspace larger than its limit is stopped. */
  workspaceSizes: boolean;
  /** A task that makes its scratch folder larger than its limit is stopped, wherever in the folder it writes. */
  scratchSizes: boolean;
  /** It sees the files that a step holds open. */
  openFiles: boolean;
  /** Running jobs end with the worker; otherwise another worker takes them over. */
  endsOnShutdown: boolean;
}

/** An executor under test, with folders that belong to the test. */
export interface Bench {
  executor: Executor;
  promises: Promises;
  /** Belongs to the service and is closed to others, like a data folder. */
  privateDir: string;
  /** A text that is in the environment of the service. */
  environmentText: string;
  /** `HOST:PORT` of a server that says `greeting-of-the-server` and that MILLRACE_TASK_OUTBOUND_ALLOW names. */
  allowedServer?: string;
  /** Parent of workspaces. */
  workspacesDir: string;
  /** Adapts a job to this executor, e.g. gives its steps an image. It needs `sh`, the usual tools and Node as `$NODE`. */
  adapt?(job: Job): Job;
  /** What it left on the machine: folders, groups, containers. */
  leftovers(): Promise<string[]>;
}

export interface Scenario {
  /** A guarantee, in words. */
  name: string;
  needs?: keyof Promises;
  /** Tests what the service does with the lines and files of a step. Other scenarios show, at every level, that these reach the service. */
  once?: true;
  /** @param skip ends it as not tested, with the reason */
  check(bench: Bench, skip: (reason: string) => void): Promise<void>;
}

export interface Finished {
  outcome: JobOutcome;
  lines: StoredLine[];
  /** Lines in order: those of the steps, or those of the service. */
  texts(of?: "system"): string[];
}

let count = 0;

/** A job with all defaults; `steps` may be one script. */
export function makeJob(steps: string | Partial<JobStep>[], more: Partial<Job> = {}): Job {
  const list = typeof steps === "string" ? [{ script: steps }] : steps;
  return {
    teamId: "team-1",
    runId: "run-1",
    taskRunId: `exercise-${process.pid}-${count++}`,
    attempt: 1,
    lostAttempts: 0,
    name: "exercise",
    steps: list.map((step, index) => ({ name: `step-${index + 1}`, ...step })),
    params: [],
    results: [],
    secrets: [],
    workspaces: [],
    network: "none",
    // Node 24 reserves more than 512 MiB when it starts, which counts where memory is limited by RLIMIT_DATA.
    limits: { memoryBytes: 1_073_741_824, processes: 200, outputBytes: 4_194_304, resultBytes: 1_048_576 },
    timeoutMs: 60_000,
    debug: false,
    ...more,
  };
}

export async function run(bench: Bench, job: Job): Promise<Finished> {
  const lines: StoredLine[] = [];
  const outcome = await startJob(bench, job, (block) => void lines.push(...linesOfBlock(block))).done;
  return finish(outcome, lines);
}

/** Starts a job in the form that this executor takes. */
export function startJob(bench: Bench, job: Job, onLines: TakeLines): JobHandle {
  return bench.executor.start(bench.adapt?.(job) ?? job, onLines);
}

function finish(outcome: JobOutcome, lines: StoredLine[]): Finished {
  return {
    outcome,
    lines,
    texts: (of) => lines.filter(({ stream }) => (stream === "system") === (of === "system")).map(({ text }) => text),
  };
}

/** Starts a job and returns when its output contains a text: the job is then in the middle of its work. */
export function startUntil(bench: Bench, job: Job, text: string): Promise<{ handle: JobHandle; finished: Promise<Finished> }> {
  return new Promise((resolve, reject) => {
    const lines: StoredLine[] = [];
    const handle = startJob(bench, job, (block) => {
      lines.push(...linesOfBlock(block));
      if (block.text.includes(text)) resolve({ handle, finished });
    });
    const finished = handle.done.then((outcome) => finish(outcome, lines));
    void finished.then(({ outcome }) => reject(new Error(`it ended before it said ${text}: ${outcome.message} ${JSON.stringify(lines)}`)));
  });
}
