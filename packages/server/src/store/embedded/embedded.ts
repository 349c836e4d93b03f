import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { faultOf, StartError } from "../../base/error/start-error.ts";
import { dbCommand } from "../../base/file/repository-root.ts";
import type { Log } from "../../base/process/log.ts";
import type { DatabaseAddress } from "../database/database-address.ts";
import { type Binaries, findBinaries } from "./embedded-binaries.ts";
import {
  type ClusterFiles,
  chooseLaunch,
  clusterFiles,
  exitCodes,
  type Launch,
  makeFolders,
  spawnServer,
  waitForOrphan,
} from "./embedded-launch.ts";
import { findLiveOwner, freeOwnership, recordOwner, refuseSecond, takeOwnLock } from "./embedded-owner.ts";
import { prepareApplicationDatabase, waitUntilReady } from "./embedded-ready.ts";
import { readRuntimeFolder, recordRuntimeFolder, removeStaleRuntimeFolder, socketName } from "./embedded-runtime-folder.ts";
import { embeddedSettings } from "./embedded-settings.ts";

export interface EmbeddedOptions {
  /** The database's part of the data folder; created if it doesn't exist. */
  folder: string;
  /** Programs of another PostgreSQL (MILLRACE_PG_BIN). */
  binFolder?: string | undefined;
  /** Server settings that override ours. Only tests trade durability for speed. */
  settings?: Readonly<Record<string, string>>;
  /** Where to look for flock, setpriv and the shell, instead of the system's folders. */
  searchPath?: string;
  log: Log;
}

/**
 * The PostgreSQL server that belongs to this process: started with it, restarted if it dies, stopped with it, and it ends soon after this
 * process is killed. The data folder belongs to one Millrace at a time.
 */
export class EmbeddedServer {
  readonly #options: EmbeddedOptions;
  readonly #files: ClusterFiles;
  readonly #binaries: Binaries;
  readonly #launch: Launch;
  #child: ChildProcess | undefined;
  #isOwner = false;
  readonly #stopping = new AbortController();
  #restarting: Promise<void> | undefined;

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(options: EmbeddedOptions, files: ClusterFiles, binaries: Binaries, launch: Launch) {
    this.#options = options;
    this.#files = files;
    this.#binaries = binaries;
    this.#launch = launch;
  }

  /** @throws StartError with the problem in one line */
  static async start(options: EmbeddedOptions): Promise<EmbeddedServer> {
    const files = clusterFiles(options.folder);
    const { binaries, launch } = prepare(options, files);
    const server = new EmbeddedServer(options, files, binaries, launch);
    try {
      await server.#startFirst();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** The application's own role, which owns its database and is not a superuser. */
  get address(): DatabaseAddress {
    return { socketFolder: this.#launch.runtimeFolder, user: "millrace", database: "millrace", logFile: this.#files.log };
  }

  /** For setting up databases: tests only. */
  get superuserAddress(): DatabaseAddress {
    return { socketFolder: this.#launch.runtimeFolder, user: "postgres", database: "postgres" };
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  /** How it runs, for the start message and for tests. */
  get description(): string {
    const { kind, identity, major } = this.#launch;
    return `PostgreSQL ${major}, ${kind}, as ${identity.name}`;
  }

  /** Fast shutdown: sessions are ended, everything is written. Waits for its end; stronger signals follow if it takes too long. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await stopProcess(this.#child);
    rmSync(this.#launch.runtimeFolder, { recursive: true, force: true });
    if (this.#binaries.temporaryFolder) rmSync(this.#binaries.temporaryFolder, { recursive: true, force: true });
    if (this.#isOwner) freeOwnership(this.#files.owner);
  }

  async #startFirst(): Promise<void> {
    checkMajor(this.#files, this.#launch.major);
    rotateLog(this.#files.log);
    await this.#takeOwnership();
    await this.#run(Date.now() + 30_000);
    removeStaleRuntimeFolder(this.#files.socketRecord, this.#launch.runtimeFolder);
    recordRuntimeFolder(this.#files.socketRecord, this.#launch.runtimeFolder);
    if (this.#launch.kind === "guarded") recordOwner(this.#files.owner);
    this.#isOwner = true;
    await prepareApplicationDatabase(this.superuserAddress);
  }

  /** With flock, the record only refuses earlier than the lock would, and it refuses a Millrace that has no flock. */
  async #takeOwnership(): Promise<void> {
    const { folder, owner } = this.#files;
    const isFree = this.#launch.kind === "watched" ? takeOwnLock(owner) : findLiveOwner(owner) === undefined;
    if (!isFree) throw refuseSecond(folder, findLiveOwner(owner));
    if (this.#launch.kind === "guarded") return;
    this.#isOwner = true;
    await waitForOrphan(this.#files, Date.now() + 30_000);
  }

  /** Starts the process and waits for it. Waits for the lock if a stopping server holds it, not if another Millrace does. */
  async #run(lockDeadline: number): Promise<void> {
    for (;;) {
      const logStart = fileSize(this.#files.log);
      const exitCode = await this.#spawnUntilReady();
      if (exitCode === undefined) return;
      if (exitCode !== exitCodes.locked) throw explainExit(exitCode, this.#files, logStart);
      const owner = findLiveOwner(this.#files.owner);
      if (Date.now() > lockDeadline || (owner !== undefined && !this.#restarting)) throw refuseSecond(this.#files.folder, owner);
      await wait(20);
      this.#stopping.signal.throwIfAborted();
    }
  }

  /** Returns undefined when it accepts connections, otherwise how it ended. */
  async #spawnUntilReady(): Promise<number | undefined> {
    const settings = embeddedSettings(this.#launch.major, this.#launch.runtimeFolder, this.#options.settings);
    const child = spawnServer(this.#launch, this.#files, this.#binaries, settings);
    this.#child = child;
    child.unref();
    (child.stdio[3] as { unref?: () => void } | null | undefined)?.unref?.();
    const ended = new AbortController();
    const exit = once(child, "exit")
      .then(([code]) => (code as number | null) ?? -1)
      .finally(() => ended.abort());
    const ready = waitUntilReady(this.superuserAddress, ended.signal).then(() => undefined);
    const result = await Promise.race([exit, ready]);
    if (result === undefined) this.#watchExit(exit);
    return result;
  }

  #watchExit(exit: Promise<unknown>): void {
    exit.then(
      () => this.#onExit(),
      // Node reports a signal that could not be sent as an error of a running child; it does not mean that the server has ended.
      (error: unknown) => this.#options.log.error({ err: error }, "the embedded database could not be signalled"),
    );
  }

  #onExit(): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.log.error({ log: this.#files.log }, "the embedded database stopped; restarting it");
    this.#restarting = this.#restart().finally(() => {
      this.#restarting = undefined;
    });
  }

  async #restart(): Promise<void> {
    let told = "";
    for (let pauseMs = 50; !this.#stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await this.#run(Date.now() + 30_000);
        this.#options.log.info("the embedded database is running again");
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        const { message } = error as Error;
        // It contains the name of a temporary file, which differs each time.
        const words = message.replace(/\d+/g, "");
        if (words !== told) this.#options.log.error({ failure: message }, "the embedded database could not be started; retrying");
        told = words;
        await wait(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }
}

function prepare(options: EmbeddedOptions, files: ClusterFiles): { binaries: Binaries; launch: Launch } {
  try {
    makeFolders(files);
    const binaries = findBinaries(options.binFolder, files.libraries);
    const launch = chooseLaunch(files, binaries, options.searchPath);
    return { binaries, launch };
  } catch (error) {
    const { code = "", path = files.folder } = error as NodeJS.ErrnoException;
    throw /^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EMFILE)$/.test(code) ? faultOf(error, `${path} cannot be used`) : error;
  }
}

function checkMajor(files: ClusterFiles, major: number): void {
  const versionFile = join(files.data, "PG_VERSION");
  if (!existsSync(versionFile)) return;
  const found = readFileSync(versionFile, "utf8").trim();
  if (found === String(major)) return;
  throw new StartError(
    `The database in ${files.folder} was created by PostgreSQL ${found}, but this program runs PostgreSQL ${major}. ` +
      `To start it, set MILLRACE_PG_BIN to the folder with the programs of PostgreSQL ${found}. To move the data: with MILLRACE_PG_BIN set, run \`${dbCommand} backup FILE\`, ` +
      `move ${files.folder} away, and without MILLRACE_PG_BIN run \`${dbCommand} restore FILE\``,
  );
}

function explainExit(exitCode: number, files: ClusterFiles, logStart: number): StartError {
  const what = exitCode === exitCodes.initdbFailed ? "The database could not be created" : "The embedded database did not start";
  const lines = readFileSync(files.log).subarray(logStart).toString("utf8").split("\n");
  // The first line: the following ones are consequences. Lines that say it isn't ready come from our own checks.
  const telling =
    lines.find((line) => /FATAL|PANIC|error:|ERROR/.test(line) && !/the database system is |not yet accepting/.test(line)) ??
    lines.filter((line) => line.trim()).at(-1);
  const remedy = remedies.find(({ sign }) => sign.test(telling ?? ""))?.text;
  const end = remedy === undefined ? "" : `: ${remedy}`;
  // Without the time and the process, which differ with each try.
  const words = telling?.trim().replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, "");
  return new StartError(`${what} (exit ${exitCode}): ${words ?? "it left no message"}${end}. See ${files.log}`);
}

const remedies = [
  { sign: /could not (?:write|extend|create|resize) (?!shared).*No space left/, text: "free space on the disk" },
  {
    sign: /shared memory segment .*(No space left|Cannot allocate)/,
    text: "/dev/shm is too small; PostgreSQL needs some megabytes there, such as by `docker run --shm-size=256m` or an emptyDir of medium Memory at /dev/shm",
  },
  {
    sign: /No space left on device|Disk quota exceeded/,
    text: "the disk is full; free some space there (a new database takes about 60 MB), or set MILLRACE_DATA_DIR to a folder on another one",
  },
  {
    sign: /insufficient file descriptors|Too many open files/,
    text: "raise the number of files that a process may open, for example with `ulimit -n 4096`",
  },
  {
    sign: /could not look up effective user ID/,
    text:
      "this user ID has no name. Add a line for it to /etc/passwd (`millrace:x:UID:0::/tmp:/sbin/nologin`), start as a user id that has one, " +
      "or set DATABASE_URL to your own PostgreSQL server",
  },
];

async function stopProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.ref();
  const exited = once(child, "exit");
  for (const [signal, patienceMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    child.kill(signal);
    const timeout = new AbortController();
    const ended = await Promise.race([exited.then(() => true), wait(patienceMs, false, { signal: timeout.signal }).catch(() => false)]);
    timeout.abort();
    if (ended) return;
  }
}

function rotateLog(log: string): void {
  if (fileSize(log) > 5_000_000) renameSync(log, `${log}.1`);
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The address of the server that another process runs in this folder, if one does. */
export function findRunningServer(folder: string): DatabaseAddress | undefined {
  const files = clusterFiles(folder);
  const socketFolder = readRuntimeFolder(files.socketRecord);
  if (socketFolder === undefined || findLiveOwner(files.owner) === undefined) return undefined;
  return existsSync(join(socketFolder, socketName))
    ? { socketFolder, user: "millrace", database: "millrace", logFile: files.log }
    : undefined;
}
