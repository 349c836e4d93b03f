import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { type StepEnd, signalNumber } from "../steps/step-end.ts";
import { systemPath } from "../steps/view.ts";
import type { AttemptGroup } from "./attempt-group.ts";
import type { InheritedFiles } from "./inherited-files.ts";
import type { Launch } from "./level.ts";
import type { OutputPipe, OutputPipes } from "./output-pipes.ts";
import { signalProcess } from "./process-table.ts";

/** The processes of one step, from start to the last of them. */
export interface StepProcess {
  readonly ended: Promise<StepEnd>;
  /** TERM to all of the step, KILL after the grace period; a second call can only make it sooner. */
  stop(graceMs: number): void;
  /** The spawned process, while there is one. */
  readonly pid: number | undefined;
}

export interface StepSurroundings {
  launch: Launch;
  pipes: OutputPipes;
  inherited: InheritedFiles;
  /** The program was started, or could not be: it has copies of the descriptors of its launch by now. */
  onSpawned(): void;
  group: AttemptGroup | undefined;
  onOutput(stream: "stdout" | "stderr", reader: OutputPipe["reader"]): void;
  /** Processes of the step, the launcher's own left out. */
  findProcesses(root: number): Promise<number[]>;
  /** Ends everything at once. */
  killAll(root: number): Promise<void>;
  /** Ends what the first process left behind; nothing to do where its end ends all others. */
  killLeftovers(): Promise<void>;
}

export function startStepProcess(surroundings: StepSurroundings): StepProcess {
  const state: StepState = { hasExited: false };
  const ended = run(surroundings, state).catch((error: NodeJS.ErrnoException): StepEnd => {
    state.hasExited = true;
    return { exitCode: 125, error };
  });
  return {
    ended,
    get pid() {
      return state.hasExited ? undefined : state.child?.pid;
    },
    stop(graceMs) {
      const killAt = performance.now() + graceMs;
      const isFirst = state.killAt === undefined;
      state.killAt = Math.min(state.killAt ?? killAt, killAt);
      if (isFirst) state.stopping = stopInTime(surroundings, state).catch(() => undefined);
    },
  };
}

interface StepState {
  child?: ChildProcess;
  killAt?: number;
  stopping?: Promise<void>;
  hasExited: boolean;
}

async function run(surroundings: StepSurroundings, state: StepState): Promise<StepEnd> {
  const pipes = await openBoth(surroundings.pipes).catch((error: unknown) => {
    // Nothing takes over the descriptors of its mounts.
    surroundings.onSpawned();
    throw error;
  });
  try {
    const { launch } = surroundings;
    const child = spawnStep(surroundings, pipes);
    state.child = child;
    // Before anything that may throw: an error that nobody listens for would end the service.
    const exit = waitForExit(child);
    for (const pipe of pipes) pipe.handOver();
    const closed = [readStream(surroundings, "stdout", pipes[0]), readStream(surroundings, "stderr", pipes[1])];
    if (launch.hasGate) openGate(surroundings, child);
    const end = await exit;
    state.hasExited = true;
    if (end.error === undefined) await surroundings.killLeftovers();
    await waitForOutput(
      Promise.all(closed),
      pipes.map(({ reader }) => reader),
    );
    // Who still kills in this attempt's name must not meet the next one that gets its control group or user id.
    await state.stopping;
    return end;
  } finally {
    for (const pipe of pipes) pipe.close();
  }
}

function spawnStep({ launch, inherited, onSpawned }: StepSurroundings, pipes: readonly [OutputPipe, OutputPipe]): ChildProcess {
  const gate = launch.hasGate ? ["pipe" as const, "pipe" as const] : [];
  const filter: number[] = [];
  try {
    // Opened for each step: what one has read of it, another one could not read again.
    if (launch.filterFile !== undefined) filter.push(openSync(launch.filterFile, "r"));
    return spawn(launch.file, launch.args, {
      stdio: ["ignore", pipes[0].writeEnd, pipes[1].writeEnd, ...inherited.stdioAfter([...gate, ...(launch.descriptors ?? []), ...filter])],
      env: { PATH: systemPath },
      cwd: "/",
      detached: true,
      ...(launch.uid === undefined ? {} : { uid: launch.uid, gid: launch.gid }),
    });
  } finally {
    for (const descriptor of filter) closeSync(descriptor);
    onSpawned();
  }
}

/** How long output may stay open, and silent, after the last process that we know of has ended. */
const closingMs = 2_000;
/** How long a writer that never ends and that nobody can find is listened to. */
const closingLimitMs = 600_000;

/**
 * Until both streams have ended, as they do with their last writer. A writer that nobody knows of may hold one open for ever, so one that is
 * silent is given up; but never one that is being read, or whose lines wait to be stored, however long that takes on a busy machine.
 */
async function waitForOutput(closed: Promise<unknown>, readers: readonly OutputPipe["reader"][]): Promise<void> {
  let isClosed = false;
  const end = closed.then(() => (isClosed = true));
  const giveUpAt = performance.now() + closingLimitMs;
  const countBytes = (): number => readers.reduce((sum, reader) => sum + reader.bytesRead, 0);
  for (let before = -1, now = countBytes(); now !== before || readers.some((reader) => reader.isPaused()); now = countBytes()) {
    before = now;
    await Promise.race([end, pause(closingMs, undefined, { ref: false })]);
    // Timers come before input: what lies ready is read first.
    for (let turn = 0; turn < 2 && !isClosed; turn++) await nextTurn();
    if (isClosed || performance.now() > giveUpAt) return;
  }
}

async function openBoth(pipes: OutputPipes): Promise<[OutputPipe, OutputPipe]> {
  const first = await pipes.open();
  try {
    return [first, await pipes.open()];
  } catch (error) {
    first.close();
    throw error;
  }
}

function readStream({ onOutput }: StepSurroundings, stream: "stdout" | "stderr", { reader }: OutputPipe): Promise<void> {
  return new Promise((resolve) => {
    reader.on("end", resolve).on("close", resolve).on("error", resolve);
    onOutput(stream, reader);
  });
}

function waitForExit(child: ChildProcess): Promise<StepEnd> {
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => resolve({ exitCode: error.code === "ENOENT" ? 127 : 125, error }));
    child.on("exit", (code, signal) => resolve({ exitCode: code ?? 128 + signalNumber(signal) }));
  });
}

/** bubblewrap says which process is the first inside and waits; that one joins the control groups of the attempt, then it may begin. */
function openGate({ group }: StepSurroundings, child: ChildProcess): void {
  // With too many files open there are no pipes, whatever the types say.
  const [, , , info, gate] = (child.stdio as ChildProcess["stdio"] | undefined) ?? [];
  let text = "";
  info?.on("error", () => undefined);
  gate?.on("error", () => undefined);
  info?.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    const pid = /"child-pid": (\d+)/.exec(text)?.[1];
    if (pid === undefined || !text.trimEnd().endsWith("}")) return;
    void group?.join(Number(pid)).then(
      () => (gate as Writable).end("1"),
      // Without its limits it must not begin. That it has ended meanwhile is the usual reason.
      () => signalProcess(Number(pid), "SIGKILL"),
    );
  });
}

/** Between TERM and KILL the table is read again: a step that was only about to start is told as well, each process once. */
async function stopInTime({ findProcesses, killAll }: StepSurroundings, state: StepState): Promise<void> {
  const told = new Set<number>();
  for (let round = 0; !state.hasExited; round++) {
    const root = state.child?.pid;
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
