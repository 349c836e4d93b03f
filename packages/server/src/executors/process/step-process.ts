import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { type StepEnd, signalNumber } from "../steps/step-end.ts";
import { systemPath } from "../steps/view.ts";
import type { AttemptGroup } from "./control-groups/attempt-group.ts";
import type { InheritedFiles } from "./inherited-files.ts";
import type { Launch } from "./isolation/level.ts";
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

export interface StepContext {
  launch: Launch;
  pipes: OutputPipes;
  inherited: InheritedFiles;
  /** The program was started, or could not be: it has copies of the descriptors of its launch by now. */
  onSpawned(): void;
  group: AttemptGroup | undefined;
  onOutput(reader: OutputPipe["reader"]): void;
  /** Processes of the step, the launcher's own left out. */
  findProcesses(root: number): Promise<number[]>;
  /** Ends everything at once. */
  killAll(root: number): Promise<void>;
  /** Ends what the first process left behind; nothing to do where its end ends all others. */
  killLeftovers(): Promise<void>;
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
      return state.hasExited ? undefined : state.child?.pid;
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
  child?: ChildProcess;
  killAt?: number;
  stopping?: Promise<void>;
  hasExited: boolean;
}

async function run(context: StepContext, state: StepState): Promise<StepEnd> {
  const pipe = await context.pipes.open().catch((error: unknown) => {
    // Nothing takes over the descriptors of its mounts.
    context.onSpawned();
    throw error;
  });
  try {
    const { launch } = context;
    const child = spawnStep(context, pipe);
    state.child = child;
    // Before anything that may throw: an error that nobody listens for would end the service.
    const exit = waitForExit(child);
    pipe.handOver();
    const closed = readOutput(context, pipe);
    if (launch.hasGate) openGate(context, child);
    const end = await exit;
    state.hasExited = true;
    if (end.error === undefined) await context.killLeftovers();
    await waitForOutput(closed, pipe.reader);
    // Who still kills in this attempt's name must not meet the next one that gets its control group or user id.
    await state.stopping;
    return end;
  } finally {
    pipe.close();
  }
}

/** Both streams are one pipe, as with `2>&1`: two pipes would be read apart, and nobody could tell what was written first. */
function spawnStep({ launch, inherited, onSpawned }: StepContext, { writeEnd }: OutputPipe): ChildProcess {
  const gate = launch.hasGate ? ["pipe" as const, "pipe" as const] : [];
  const filter: number[] = [];
  try {
    // Opened for each step: what one has read of it, another one could not read again.
    if (launch.filterFile !== undefined) filter.push(openSync(launch.filterFile, "r"));
    return spawn(launch.file, launch.args, {
      stdio: ["ignore", writeEnd, writeEnd, ...inherited.stdioAfter([...gate, ...(launch.descriptors ?? []), ...filter])],
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
 * Until the output has ended, as it does with its last writer. A writer that nobody knows of may hold it open forever, so output that is
 * silent is given up; but never while it is being read, or its lines wait to be stored, however long that takes on a busy machine.
 */
async function waitForOutput(closed: Promise<unknown>, reader: OutputPipe["reader"]): Promise<void> {
  let isClosed = false;
  const end = closed.then(() => (isClosed = true));
  const giveUpAt = performance.now() + closingLimitMs;
  for (let before = -1; reader.bytesRead !== before || reader.isPaused(); ) {
    before = reader.bytesRead;
    await Promise.race([end, pause(closingMs, undefined, { ref: false })]);
    // Timers come before input: what lies ready is read first.
    for (let turn = 0; turn < 2 && !isClosed; turn++) await nextTurn();
    if (isClosed || performance.now() > giveUpAt) return;
  }
}

function readOutput({ onOutput }: StepContext, { reader }: OutputPipe): Promise<void> {
  return new Promise((resolve) => {
    reader.on("end", resolve).on("close", resolve).on("error", resolve);
    onOutput(reader);
  });
}

function waitForExit(child: ChildProcess): Promise<StepEnd> {
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => resolve({ exitCode: error.code === "ENOENT" ? 127 : 125, error }));
    child.on("exit", (code, signal) => resolve({ exitCode: code ?? 128 + signalNumber(signal) }));
  });
}

/** bubblewrap says which process is the first inside and waits; that one joins the control groups of the attempt, then it may begin. */
function openGate({ group }: StepContext, child: ChildProcess): void {
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

/** Between TERM and KILL the table is read again: a step that was only about to start gets the signal as well, each process once. */
async function stopInTime({ findProcesses, killAll }: StepContext, state: StepState): Promise<void> {
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
