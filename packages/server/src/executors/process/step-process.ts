import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { StepEnd } from "../steps/step-end.ts";
import type { SandboxAhead } from "./ahead/sandbox-ahead.ts";
import type { Launch } from "./isolation/level.ts";
import type { InputPipe, OutputPipe, OutputPipes } from "./output-pipes.ts";
import { signalProcess } from "./process-table.ts";
import type { Spawner } from "./spawner.ts";

/** The processes of one step, from start to the last of them. */
export interface StepProcess {
  readonly ended: Promise<StepEnd>;
  /** TERM to all of the step, KILL after the grace period; a second call can only shorten it. */
  stop(graceMs: number): void;
  /** The spawned process; undefined if it is not running. */
  readonly pid: number | undefined;
}

export interface StepContext {
  /** What starts it, or the sandbox that waits for it. */
  launch: Launch | { sandbox: SandboxAhead };
  pipes: OutputPipes;
  spawner: Spawner;
  /** Its standard input; closed by the code that opened it. */
  input?: InputPipe | undefined;
  onOutput(reader: OutputPipe["reader"]): void;
  /** Processes of the step, without those of the launcher. */
  findProcesses(root: number): Promise<number[]>;
  /** Ends everything at once. */
  killAll(root: number): Promise<void>;
  /** Ends what the first process left behind; does nothing if all others end with it. */
  killLeftovers(): Promise<void>;
  /** Ends all of the step without knowing its first process. */
  killUnknown(): Promise<void>;
}

export function startStepProcess(context: StepContext): StepProcess {
  const state: StepState = { hasExited: false };
  const ended = run(context, state).catch((error: NodeJS.ErrnoException): StepEnd => {
    state.hasExited = true;
    return { exitCode: 125, error };
  });
  return {
    ended,
    get pid() {
      return state.hasExited ? undefined : state.pid;
    },
    stop(graceMs) {
      const killAt = performance.now() + graceMs;
      const isFirst = state.killAt === undefined;
      state.killAt = Math.min(state.killAt ?? killAt, killAt);
      if (isFirst) state.stopping = stopInTime(context, state).catch(() => undefined);
    },
  };
}

interface StepState {
  pid?: number;
  killAt?: number;
  stopping?: Promise<void>;
  hasExited: boolean;
}

async function run(context: StepContext, state: StepState): Promise<StepEnd> {
  const { launch, spawner } = context;
  const isAhead = "sandbox" in launch;
  const pipe = isAhead ? launch.sandbox.pipe : await context.pipes.open();
  try {
    const closed = readOutput(context, pipe);
    const onStarted = (pid: number): void => {
      state.pid = pid;
      pipe.handOver();
      context.input?.handOver();
    };
    const parts = { output: pipe.path, input: context.input?.path, onStarted };
    const end = isAhead ? await launch.sandbox.begin(onStarted) : await spawner.launch(launch, parts);
    pipe.handOver();
    if (end.mayHaveBegun) await endLostStep(context, state.pid);
    state.hasExited = true;
    if (end.error === undefined) await context.killLeftovers();
    await waitForOutput(closed, pipe.reader);
    // A kill for this attempt that is still in progress must not hit the next attempt that uses its control group or user ID.
    await state.stopping;
    return end;
  } finally {
    pipe.close();
  }
}

/** Its spawner has ended, and with it most of what is in sandboxes. The rest would continue unnoticed. */
async function endLostStep({ killAll, killUnknown, killLeftovers }: StepContext, pid: number | undefined): Promise<void> {
  if (pid !== undefined) await killAll(pid);
  await killUnknown();
  await killLeftovers();
}

/** How long output may stay open, and silent, after the last process that we know of has ended. */
const closingMs = 2_000;
/** How long output is read from a writer that never ends and can't be found. */
const closingLimitMs = 600_000;

/** How much Node reads at once. */
const readBytes = 65_536;
/** The capacity of a pipe, unless the machine's administrator allows more (`fs.pipe-max-size`). */
const pipeBytes = 1_048_576;

/**
 * Waits until the output has ended, as it does with its last writer. An unknown writer may hold it open forever, so output that is silent
 * is given up; but never while it is being read, or its lines wait to be stored, however long that takes on a busy machine.
 *
 * Such a writer may also continue to write: a step can pass its output to a task that runs at the same time, through a workspace that both
 * share. When the step has ended, all its own output is in the pipe. So output that comes after the pipe was empty, or exceeds the capacity
 * of a pipe, is not waited for.
 */
async function waitForOutput(closed: Promise<unknown>, reader: OutputPipe["reader"]): Promise<void> {
  let isClosed = false;
  let isForeign = false;
  const end = closed.then(() => (isClosed = true));
  const giveUpAt = performance.now() + closingLimitMs;
  const first = reader.bytesRead;
  let known = reader.readableLength;
  const foreign = new Promise<void>((resolve) => {
    reader.on("data", ({ length }: Buffer) => {
      // Data that was read before the end says nothing about the current content of the pipe.
      known -= length;
      if (known >= 0) return;
      if (isForeign) resolve();
      isForeign = length < readBytes || reader.bytesRead - first > pipeBytes;
    });
  });
  for (let before = -1; reader.bytesRead !== before || reader.isPaused(); ) {
    before = reader.bytesRead;
    const isOver = await Promise.race([end, foreign.then(() => true), pause(closingMs, false, { ref: false })]);
    // Timers are processed before input: first, available data is read.
    for (let turn = 0; turn < 2 && !isClosed; turn++) await nextTurn();
    if (isOver || isClosed || performance.now() > giveUpAt) return;
  }
}

function readOutput({ onOutput }: StepContext, { reader }: OutputPipe): Promise<void> {
  return new Promise((resolve) => {
    reader.on("end", resolve).on("close", resolve).on("error", resolve);
    onOutput(reader);
  });
}

/** Between TERM and KILL the table is read again: a step that was only just starting gets the signal as well, each process once. */
async function stopInTime({ findProcesses, killAll }: StepContext, state: StepState): Promise<void> {
  const told = new Set<number>();
  for (let round = 0; !state.hasExited; round++) {
    const root = state.pid;
    const leftMs = (state.killAt ?? 0) - performance.now();
    if (root !== undefined && leftMs <= 0) await killAll(root);
    else if (root !== undefined) {
      for (const pid of await findProcesses(root)) {
        if (!told.has(pid)) signalProcess(pid, "SIGTERM");
        told.add(pid);
      }
    }
    await pause(leftMs <= 0 ? 50 : Math.min(leftMs, 10 + 20 * round, 200));
  }
}
