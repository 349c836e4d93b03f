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
  /** What its jobs have in common (kept-key.ts). */
  key: string;
  /** As those of its first job. */
  context: SandboxContext;
  process: StepProcess;
  input: InputPipe;
  output: JobOutput;
  /** Processes of our own beside the function: the way out. */
  helpers: number;
  /** As in KeptLimits. */
  heardWithinMs: number;
  /** Gives back what it took, when its last process has ended. */
  release(): Promise<void>;
}

/** How a job ended: its function has returned, or with all of the sandbox; `unheard`: it has not begun. */
export type Served = "done" | "unheard" | StepEnd;

/** Of files without a name: nobody looks at them while it rests. */
const mostUnlinkedBytes = 1_048_576;
const mostLostBytes = 67_108_864;
/** That its jobs were given: the more there are, the longer it takes to look for them in what it writes. */
const mostSecrets = 200;

/**
 * A sandbox with the runner of one function in it. It serves one job at a time. Between two jobs all of its processes are halted, so nothing of it
 * runs outside of a job, and its folders are emptied. It is not used again once anything about it is not as it was after a job that succeeded.
 */
export class KeptSandbox {
  readonly #parts: SandboxParts;
  /** Of the service's files, those that stay from job to job. */
  readonly #ownFiles: number;
  /** Of the disk, when it began. */
  readonly #freeBytes: number;
  /** What is halted between jobs, after the first one; and all that the control group holds then. */
  #halted: readonly number[] | undefined;
  #members: readonly number[] | undefined;
  /** All of its process space then, where that can be listed; and when it last came to rest, with what has ended and nobody waited for. */
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

  /** Jobs that have begun. */
  get jobs(): number {
    return this.#jobs;
  }

  get isAlive(): boolean {
    return this.#ending === undefined && this.#parts.process.pid !== undefined;
  }

  /** As far as that can be seen at once: nothing was started in the moment in which it was being halted. */
  get isAsHalted(): boolean {
    return this.#space === undefined || this.#list().every((number) => this.#listed?.includes(number));
  }

  /** @returns the secrets of this job, and of all before it: the script may still have them */
  remember(secrets: readonly string[]): string[] {
    for (const secret of secrets) this.#secrets.add(secret);
    return [...this.#secrets];
  }

  /** A line of the service about what it does now. */
  say(line: string): void {
    this.#current?.output.say(this.#current.step, line);
  }

  /** @param file of the job, as the runner sees it */
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
    // A new one may take as long as the machine takes to start it.
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

  /** After a job that is done. @returns whether it can serve another one */
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

  /** Memory that it holds while it rests; undefined: too much without a name, in memory or on the disk, or more than can be known. */
  async heldBytes(): Promise<number | undefined> {
    const { group, attempt, egress } = this.#parts.context;
    const pids = this.#halted ?? [];
    const devices = new Set([lstatSync(attempt.writable).dev]);
    const descriptions = egress?.descriptions() ?? [];
    // Thread by thread only when the disk has lost what nothing else explains.
    const isThorough = this.#freeBytes - freeBytes(attempt) > mostLostBytes;
    const { bytes, memoryBytes, isComplete } = await measureUnlinked({ pids, devices, descriptions, isThorough });
    if (!isComplete || bytes + memoryBytes > mostUnlinkedBytes) return undefined;
    const counted = group?.memoryBytes();
    if (counted !== undefined) return counted;
    const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "latin1").catch(() => "")));
    return texts.reduce((sum, text) => sum + Number(/^VmRSS:\s*(\d+)/m.exec(text)?.[1] ?? 0) * 1024, memoryBytes);
  }

  /** Ends all that runs in it. Safe to call twice. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { process, input, release } = this.#parts;
    process.stop(0);
    await process.ended;
    input.close();
    // Its folders may become those of another attempt, also of another team.
    await this.#resting?.catch(() => false);
    await release();
  }

  #halt(): void {
    for (const pid of this.#halted ?? []) signalProcess(pid, "SIGSTOP");
  }

  /**
   * Whether it has the processes of its beginning and no others. The control group tells that at once, and so does a `/proc` of its own. Without
   * both it takes the table of all processes.
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

  /** What can't be listed any more is as no space was. */
  #list(): readonly number[] {
    const [pid] = this.#halted ?? [];
    return (pid !== undefined && listProcessSpace(pid)) || [0];
  }

  /** After its first job: which processes it has. They must be as many as were started, and one that was only about to begin counts. */
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

/** Makes its folders as they were before the job. What a step filled is removed without following a link. */
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
  // A link is no folder, and has another mode.
  if (mode !== 0o040700 || uid !== (identity?.uid ?? process.geteuid?.())) return false;
  const entries = opendirSync(folder, { bufferSize: 1 });
  try {
    return entries.readSync() === null;
  } finally {
    entries.closeSync();
  }
}
