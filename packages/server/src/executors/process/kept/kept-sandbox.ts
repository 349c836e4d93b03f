import { lstatSync, opendirSync, statfsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { removeTree } from "../../../base/file/remove-tree.ts";
import { type Attempt, clearFixed, makeWritable, userFolders } from "../../folders/attempt-folder.ts";
import { measureUnlinked } from "../../folders/open-files.ts";
import type { StepEnd } from "../../steps/step-end.ts";
import type { AttemptOutput } from "../../steps/step-output.ts";
import type { SandboxContext } from "../attempt-stage.ts";
import type { InputPipe } from "../output-pipes.ts";
import { listDescendants, signalProcess } from "../process-table.ts";
import type { StepProcess } from "../step-process.ts";
import type { JobOutput } from "./job-output.ts";
import { findProcessSpace, listProcessSpace } from "./process-space.ts";

export interface SandboxParts {
  /** What its jobs have in common (kept-sandboxes.ts). */
  key: string;
  /** Those of its first job. */
  context: SandboxContext;
  process: StepProcess;
  input: InputPipe;
  output: JobOutput;
  /** Number of our own processes beside the function: the forwarder to the proxy. */
  helpers: number;
  /** See KeptLimits. */
  heardWithinMs: number;
  /** Releases its resources, once its last process has ended. */
  release(): Promise<void>;
}

/** How a job ended: its function has returned, or the whole sandbox ended; `unheard`: it has not started. */
export type Served = "done" | "unheard" | StepEnd;

/** Limit of unlinked files: they are not watched while it waits. */
const mostUnlinkedBytes = 1_048_576;
const mostLostBytes = 67_108_864;
/** Limit of the secrets that its jobs were given: the more there are, the longer it takes to look for them in the output. */
const mostSecrets = 200;

/**
 * A sandbox with the runner of one function in it. It serves one job at a time. Between two jobs all of its processes are halted, so
 * nothing in it runs outside of a job, and its folders are emptied. It is only reused if a job succeeded and everything is as it was before
 * that job.
 */
export class KeptSandbox {
  readonly #parts: SandboxParts;
  /** How many of the service's files stay from job to job. */
  readonly #ownFiles: number;
  /** Free space of the disk when the sandbox started. */
  readonly #freeBytes: number;
  /** The processes that are halted between jobs, known after the first job; and all processes in the control group at that time. */
  #halted: readonly number[] | undefined;
  #members: readonly number[] | undefined;
  /**
   * All processes of its namespace at that time, if they can be listed; and at the last halt, including ended ones that were not reaped.
   */
  #space: readonly number[] | undefined;
  #listed: readonly number[] | undefined;
  #current: { output: AttemptOutput; step: string } | undefined;
  #resting: Promise<boolean> | undefined;
  #ending: Promise<void> | undefined;
  #jobs = 0;
  readonly #secrets = new Set<string>();

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#ownFiles = parts.context.attempt.fixedFiles.length;
    this.#freeBytes = freeBytes(parts.context.attempt);
  }

  get key(): string {
    return this.#parts.key;
  }

  get teamId(): string {
    return this.#parts.context.job.teamId;
  }

  get context(): SandboxContext {
    return this.#parts.context;
  }

  get unit(): StepProcess {
    return this.#parts.process;
  }

  /** Number of jobs that have started. */
  get jobs(): number {
    return this.#jobs;
  }

  get isAlive(): boolean {
    return this.#ending === undefined && this.#parts.process.pid !== undefined;
  }

  /** A quick check: no process was started while the others were being halted. */
  get isAsHalted(): boolean {
    return this.#space === undefined || this.#list().every((number) => this.#listed?.includes(number));
  }

  /** @returns the secrets of this job, and of all before it: the script may still have them */
  remember(secrets: readonly string[]): string[] {
    for (const secret of secrets) this.#secrets.add(secret);
    return [...this.#secrets];
  }

  /** Writes a line of the service to the log of the current job. */
  say(line: string): void {
    this.#current?.output.say(this.#current.step, line);
  }

  /** @param file of the job, at its path in the sandbox */
  async serve(file: string, step: string, output: AttemptOutput): Promise<Served> {
    const { process, input } = this.#parts;
    this.#current = { output, step };
    let isDone = false;
    let isHeard: () => void = () => undefined;
    const heard = new Promise<boolean>((resolve) => {
      isHeard = () => resolve(true);
    });
    const { nonce, ended } = this.#parts.output.begin(step, output, (mark) => {
      isHeard();
      isDone = mark === "done";
    });
    for (const pid of this.#halted ?? []) signalProcess(pid, "SIGCONT");
    // No limit for a new one, whose start takes as long as the machine needs.
    const timer = this.#jobs === 0 ? undefined : setTimeout(() => process.stop(0), this.#parts.heardWithinMs);
    if (!input.write(`${nonce} ${file}\n`)) process.stop(0);
    const hasBegun = await Promise.race([heard, process.ended.then(() => false)]);
    clearTimeout(timer);
    if (hasBegun) this.#jobs++;
    await ended;
    this.#current = undefined;
    if (!isDone) return hasBegun ? process.ended : "unheard";
    this.#halt();
    return "done";
  }

  /** After a job that has returned. @returns whether it can serve another one */
  rest(): Promise<boolean> {
    this.#resting = this.#rest();
    return this.#resting;
  }

  async #rest(): Promise<boolean> {
    const { context, output } = this.#parts;
    this.#halt();
    context.group?.rest();
    const isClean = this.#secrets.size <= mostSecrets && (await this.#isAsBefore()) && !output.isDirty;
    if (!isClean) return false;
    await emptyFolders(context.attempt, this.#ownFiles);
    return this.isAlive && !output.isDirty && this.isAsHalted;
  }

  /**
   * Memory that it holds while it waits; undefined: too much in unlinked files, in memory or on the disk, or not everything can be
   * measured.
   */
  async heldBytes(): Promise<number | undefined> {
    const { group, attempt, egress } = this.#parts.context;
    const pids = this.#halted ?? [];
    const devices = new Set([lstatSync(attempt.writable).dev]);
    const descriptions = egress?.descriptions() ?? [];
    // Inspects each thread only if the disk has lost space that nothing else explains.
    const isThorough = this.#freeBytes - freeBytes(attempt) > mostLostBytes;
    const { bytes, memoryBytes, isComplete } = await measureUnlinked({ pids, devices, descriptions, isThorough });
    if (!isComplete || bytes + memoryBytes > mostUnlinkedBytes) return undefined;
    const counted = group?.memoryBytes();
    if (counted !== undefined) return counted;
    const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "latin1").catch(() => "")));
    return texts.reduce((sum, text) => sum + Number(/^VmRSS:\s*(\d+)/m.exec(text)?.[1] ?? 0) * 1024, memoryBytes);
  }

  /** Ends everything that runs in it. Safe to call twice. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { process, input, release } = this.#parts;
    process.stop(0);
    await process.ended;
    input.close();
    // Its folders may be passed to another attempt, also of another team.
    await this.#resting?.catch(() => false);
    await release();
  }

  #halt(): void {
    for (const pid of this.#halted ?? []) signalProcess(pid, "SIGSTOP");
  }

  /**
   * Whether it has the same processes as at the start and no others. The control group shows that quickly, and so does its own `/proc`.
   * Without both, the table of all processes is read.
   */
  async #isAsBefore(): Promise<boolean> {
    const { group } = this.#parts.context;
    const root = this.#parts.process.pid;
    if (root === undefined || (group?.countOutOfMemory() ?? 0) > 0) return false;
    if (this.#halted === undefined) return this.#findOwn(root);
    if (group && this.#members) return isSame(group.processes(), this.#members);
    const isSpaceAsBefore = this.#space !== undefined && isSame(this.#list(), this.#space);
    const isAsBefore = isSpaceAsBefore || isSame(await this.#parts.context.processes.findFresh(root), this.#halted);
    this.#listed = isSpaceAsBefore ? this.#space : this.#list();
    return isAsBefore;
  }

  /** A namespace that can't be listed any more never equals the one before. */
  #list(): readonly number[] {
    const [pid] = this.#halted ?? [];
    return (pid !== undefined && listProcessSpace(pid)) || [0];
  }

  /** After its first job: finds its processes. There must be exactly as many as were started, including one that was only just starting. */
  async #findOwn(root: number): Promise<boolean> {
    const { group, processes, runtime } = this.#parts.context;
    const generations = group && listDescendants(root);
    const found = generations?.slice(runtime.level.launcherDepth).flat() ?? (await processes.findFresh(root));
    if (found.length !== this.#parts.helpers + 1) return false;
    this.#halted = found;
    this.#halt();
    this.#members = group?.processes();
    const known = generations?.flat();
    if (this.#members && known) return this.#members.every((pid) => known.includes(pid));
    if (!isSame(await processes.findFresh(root), found)) return false;
    this.#space = this.#listed = findProcessSpace(found);
    return true;
  }
}

function freeBytes({ writable }: Attempt): number {
  const { bfree, bsize } = statfsSync(writable);
  return bfree * bsize;
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((pid) => others.includes(pid));
}

/** Restores its folders to the state before the job. What a step wrote is removed without following links. */
async function emptyFolders(attempt: Attempt, ownFiles: number): Promise<void> {
  if (!clearFixed(attempt, ownFiles)) throw new Error(`files of a job can't be removed from ${attempt.fixed}`);
  for (const folder of userFolders(attempt)) {
    if (isAsMade(folder, attempt)) continue;
    await removeTree(folder);
    makeWritable(folder, attempt.identity);
  }
}

function isAsMade(folder: string, { identity }: Attempt): boolean {
  const { mode, uid } = lstatSync(folder);
  // A link is not a folder, and has another mode.
  if (mode !== 0o040700 || uid !== (identity?.uid ?? process.geteuid?.())) return false;
  const entries = opendirSync(folder, { bufferSize: 1 });
  try {
    return entries.readSync() === null;
  } finally {
    entries.closeSync();
  }
}
