import { blockOfLine } from "../../../src/core/log/log-lines.ts";
import type { ExecutorKind } from "../../../src/core/task/tekton/runnable.ts";
import type { Executor, Job, JobHandle, JobOutcome, TakeLines } from "../../../src/engine/executor.ts";
import { ExecutorSet } from "../../../src/engine/executor-set.ts";

/** A simulated job: it gets its script's text and may print; its return value becomes the outcome. */
export type Play = (job: Job, script: string, print: (text: string) => void, stopped: Promise<void>) => Promise<Partial<JobOutcome>>;

export interface TestExecutorOptions {
  kind?: ExecutorKind;
  /** Whether it works at the moment. */
  isAvailable?: () => boolean;
  workspaces?: Executor["workspaces"];
}

/** An executor that simulates jobs in this process, to test the code around the processes. */
export function testExecutor(play: Play, { kind = "process", isAvailable = () => true, workspaces }: TestExecutorOptions = {}): Executor {
  return {
    kind,
    describe: () => ({ available: isAvailable(), isolation: "none", detail: "plays jobs for tests" }),
    place: () => undefined,
    start: (job, onLines) => startPlay(play, job, onLines),
    ...(workspaces && { workspaces }),
  };
}

/** For code that only prepares jobs. */
export function testExecutors(...kinds: ExecutorKind[]): ExecutorSet {
  return new ExecutorSet((kinds.length > 0 ? kinds : ["process" as const]).map((kind) => testExecutor(async () => ({}), { kind })));
}

function startPlay(play: Play, job: Job, onLines: TakeLines): JobHandle {
  let why: "cancelled" | "timedout" | "shutdown" | undefined;
  let wake = () => {};
  const stopped = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const print = (text: string) => void onLines(blockOfLine({ at: Date.now(), step: "test", stream: "output", text }));
  const outcome = async (): Promise<JobOutcome> => {
    const end = await play(job, job.steps[0]?.script ?? "", print, stopped);
    const base: JobOutcome = { status: "succeeded", reason: "Succeeded", message: "", results: [], isolation: "none", host: "test" };
    return why ? { ...base, status: "cancelled", reason: "Cancelled" } : { ...base, ...end };
  };
  return {
    done: outcome(),
    stop(reason) {
      why ??= reason;
      wake();
    },
  };
}
