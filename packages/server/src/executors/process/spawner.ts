import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { systemPath } from "../../base/process/system-path.ts";
import { type StepEnd, signalNumber } from "../steps/step-end.ts";
import type { InheritedFiles } from "./inherited-files.ts";
import type { Launch } from "./isolation/level.ts";

/**
 * Starts the processes of steps from a separate small process (programs/spawn-steps.mjs). A fork copies the page tables of the forking
 * process, whose event loop is blocked meanwhile: 0.5 ms at 45 MB of memory, 18 ms at 700 MB (docs/adr/0048).
 *
 * The files that a step has open are passed as paths, not as descriptors, and are opened there. The steps are children of that process:
 * what ends with its parent ends with it, and it ends with the service. If it ends alone, its steps are ended, each of them gets an error
 * of the machine, and the next step starts a new one.
 */
export interface Spawner {
  /** @returns how the process ended, or the error that prevented its start */
  launch(launch: Launch, parts: LaunchParts): Promise<StepEnd>;
  /** Undefined if none is running. */
  readonly pid: number | undefined;
  /** No step may be running any more. */
  close(): void;
}

export interface LaunchParts {
  /** The named pipe for both output streams. */
  output: string;
  /** The named pipe that is its standard input; absent: it has none. */
  input?: string | undefined;
  /** The process was started, and has its files open. */
  onStarted(pid: number): void;
  /** For a launch ahead: when its first process may start. */
  opened?: Promise<void>;
}

interface Pending extends LaunchParts {
  id: number;
  child: ChildProcess;
  timer: NodeJS.Timeout;
  end(end: StepEnd): void;
}

interface Answer {
  id: number;
  pid?: number;
  error?: NodeJS.ErrnoException;
  code?: number | null;
  signal?: string | null;
}

/** Read when the service starts, so that a later change of the checkout never mixes with the running version. */
const program = readFileSync(join(repositoryRoot, "packages/server/src/executors/programs/spawn-steps.mjs"), "utf8");
/** It runs little code, and few of its objects live long. */
const nodeOptions = ["--max-semi-space-size=1", "--v8-pool-size=1", "--input-type=module"];

/** How long the start of a process may take. A spawner that takes longer is halted or stuck, and every further step would wait as well. */
const defaultStartLimitMs = 30_000;

/** @param setpriv the program through which the kernel ends the spawner with the service; it also ends by itself */
export function createSpawner(inherited: InheritedFiles, setpriv: string, startLimitMs = defaultStartLimitMs): Spawner {
  const pending = new Map<number, Pending>();
  let current: ChildProcess | undefined;
  let lastId = 0;

  const finish = (request: Pending, end: StepEnd): void => {
    clearTimeout(request.timer);
    pending.delete(request.id);
    if (pending.size === 0) request.child.channel?.unref();
    request.end(end);
  };
  const take = (answer: Answer): void => {
    const request = pending.get(answer.id);
    if (request === undefined) return;
    if (answer.pid !== undefined) {
      clearTimeout(request.timer);
      request.onStarted(answer.pid);
    } else finish(request, endOf(answer));
  };
  const loseAll = (child: ChildProcess, end: StepEnd): void => {
    if (current === child) current = undefined;
    for (const request of [...pending.values()]) if (request.child === child) finish(request, end);
  };
  const open = (): ChildProcess => {
    const child = startSpawner(inherited, setpriv);
    child.on("message", (answer) => take(answer as Answer));
    child.on("error", (error) => child.pid === undefined && loseAll(child, { exitCode: 125, error }));
    child.on("exit", () => loseAll(child, { exitCode: 125, error: spawnerEnded(), mayHaveBegun: true }));
    // Without its channel it ends; the signal ends it even if it is halted.
    child.on("disconnect", () => child.kill("SIGKILL"));
    child.unref();
    child.channel?.unref();
    return child;
  };

  const send = (child: ChildProcess, message: object): void => {
    child.send(message, (error) => error && child.kill("SIGKILL"));
  };

  return {
    launch({ file, args, uid, gid, folders = [], filterFile, gateFiles = [], isAhead = false }, parts) {
      current ??= open();
      const child = current;
      const id = ++lastId;
      return new Promise((end) => {
        const timer = setTimeout(() => child.kill("SIGKILL"), startLimitMs);
        pending.set(id, { ...parts, id, child, timer, end });
        // It could not be started; its `error` event follows in a moment.
        if (child.pid === undefined) return;
        child.channel?.ref();
        const { output, input } = parts;
        const launch = { file, args, uid, gid, path: systemPath, output, input, folders, filterFile, gateFiles, isAhead };
        send(child, { id, launch });
        void parts.opened?.then(() => pending.has(id) && send(child, { id, open: true }));
      });
    },
    get pid() {
      return current?.pid;
    },
    close() {
      if (current?.connected) current.disconnect();
      current = undefined;
    },
  };
}

function endOf({ error, code, signal }: Answer): StepEnd {
  if (error) return { exitCode: error.code === "ENOENT" ? 127 : 125, error: Object.assign(new Error(error.message), error) };
  return { exitCode: code ?? 128 + signalNumber(signal ?? null) };
}

function spawnerEnded(): NodeJS.ErrnoException {
  return Object.assign(new Error("the process that starts steps has ended"), { code: "SPAWNER_ENDED" });
}

function startSpawner(inherited: InheritedFiles, setpriv: string): ChildProcess {
  const command = [process.execPath, ...nodeOptions, "-e", program];
  const [file = "", ...args] = existsSync(setpriv) ? [setpriv, "--pdeathsig=KILL", "--", ...command] : command;
  return spawn(file, args, {
    stdio: ["ignore", "ignore", "ignore", ...inherited.stdioAfter(["ipc" as const])],
    // Without the service's environment, which contains secrets.
    env: { PATH: systemPath },
    cwd: "/",
    detached: true,
  });
}
