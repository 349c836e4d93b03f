import type { Masker } from "../../../base/secret/mask.ts";
import { shortHash } from "../../../base/text/short-hash.ts";
import { isPlainStep, type PlainStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job } from "../../../engine/executor.ts";
import { readMachineMemory } from "../../machine/machine-memory.ts";
import { parameterText, writeEnvironment } from "../../steps/step-command.ts";
import type { Level } from "../isolation/level.ts";
import { reserveBytes } from "../memory/memory-guard.ts";
import { defaultKeptLimits, type KeptLimits } from "./kept-limits.ts";
import type { KeptSandbox } from "./kept-sandbox.ts";

interface Resting {
  sandbox: KeptSandbox;
  since: number;
  /** Whether it can serve another job, which takes a moment to find out. */
  isReady: Promise<boolean>;
  /** Its memory is measured later. */
  timer?: NodeJS.Timeout;
}

/** What is known about a sandbox, also while it serves a job. */
interface Known {
  bornAt: number;
  /** Its memory at the last measurement, with the time; undefined: it was never measured. */
  held?: { bytes: number; at: number };
}

/**
 * Sandboxes that wait for their next job. None is given to a job with another key, so none to another team. They take no slot, so their
 * memory is bounded; if there is no room for another one, the team with the most gives up the one that has waited longest.
 */
export class KeptSandboxes {
  readonly limits: KeptLimits;
  readonly #known = new WeakMap<KeptSandbox, Known>();
  readonly #ending = new Set<Promise<void>>();
  #resting: Resting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: Partial<KeptLimits> = {}) {
    this.limits = { ...defaultKeptLimits, ...limits };
  }

  /** Whether sandboxes are kept at all. */
  get isOpen(): boolean {
    return !this.#isClosed && this.limits.most > 0;
  }

  /** Registers a new one, whose age counts from now. */
  admit(sandbox: KeptSandbox): void {
    this.#known.set(sandbox, { bornAt: this.limits.clock() });
  }

  /** The sandbox with that key that served a job last, if one can still be used. */
  async take(key: string): Promise<KeptSandbox | undefined> {
    for (;;) {
      const found = this.#resting.findLast(({ sandbox }) => sandbox.key === key);
      if (found === undefined) return undefined;
      this.#drop(found);
      if (!this.#isOutdated(found) && (await found.isReady) && found.sandbox.isAlive && found.sandbox.isAsHalted) return found.sandbox;
      this.#end(found.sandbox);
    }
  }

  /** After a job that has returned; the checks continue in the background. */
  keep(sandbox: KeptSandbox): void {
    if (!this.isOpen || sandbox.jobs >= this.limits.jobs) return this.#end(sandbox);
    const resting: Resting = { sandbox, since: this.limits.clock(), isReady: Promise.resolve(false) };
    resting.isReady = this.#rest(resting).catch(() => false);
    this.#resting.push(resting);
    void sandbox.unit.ended.then(() => this.#resting.includes(resting) && this.#give(resting));
    void resting.isReady.then((isReady) => {
      if (!isReady) this.#drop(resting);
      // If it was taken in the meantime, the taker ends it.
      if (!isReady) this.#end(sandbox);
      this.#makeRoom();
    });
    this.#timer ??= setInterval(() => void this.look(), this.limits.lookEveryMs).unref();
  }

  /** Ends those that have waited too long, are too old, or take memory that the machine needs. */
  async look(): Promise<void> {
    for (const resting of this.#resting.filter((each) => this.#isOutdated(each))) this.#give(resting);
    const machine = this.#resting.length === 0 ? undefined : await readMachineMemory();
    if (machine && machine.availableBytes < reserveBytes(machine)) for (const resting of [...this.#resting]) this.#give(resting);
    if (this.#resting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends all that wait. */
  async endAll(): Promise<void> {
    for (const resting of [...this.#resting]) this.#give(resting);
    clearInterval(this.#timer);
    this.#timer = undefined;
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  /** From now on none is kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endAll();
  }

  /**
   * Measuring its memory costs more than a short job: while jobs follow each other it is measured from time to time, as for a running job.
   */
  async #rest(resting: Resting): Promise<boolean> {
    if (!(await resting.sandbox.rest())) return false;
    const { heldEveryMs, clock } = this.limits;
    const { held } = this.#known.get(resting.sandbox) ?? {};
    if (held === undefined || clock() - held.at >= heldEveryMs) return this.#hasRoomFor(resting.sandbox);
    if (this.#resting.includes(resting)) resting.timer = setTimeout(() => void this.#lookLater(resting), heldEveryMs).unref();
    return true;
  }

  async #lookLater(resting: Resting): Promise<void> {
    const { sandbox } = resting;
    const mayStay = await this.#hasRoomFor(sandbox).catch(() => false);
    if (this.#resting.includes(resting) && !(mayStay && sandbox.isAsHalted)) this.#give(resting);
    this.#makeRoom();
  }

  async #hasRoomFor(sandbox: KeptSandbox): Promise<boolean> {
    const heldBytes = await sandbox.heldBytes();
    const machine = await readMachineMemory();
    const hasRoom = machine === undefined || machine.availableBytes >= reserveBytes(machine);
    if (heldBytes === undefined) return false;
    const known = this.#known.get(sandbox);
    if (known) known.held = { bytes: heldBytes, at: this.limits.clock() };
    return hasRoom && heldBytes <= this.limits.eachBytes;
  }

  #makeRoom(): void {
    const { most, mostBytes } = this.limits;
    const isTooMuch = (): boolean =>
      this.#resting.length > most ||
      this.#resting.reduce((sum, { sandbox }) => sum + (this.#known.get(sandbox)?.held?.bytes ?? 0), 0) > mostBytes;
    while (isTooMuch()) {
      const counts = new Map<string, number>();
      for (const { sandbox } of this.#resting) counts.set(sandbox.teamId, (counts.get(sandbox.teamId) ?? 0) + 1);
      const largest = Math.max(...counts.values());
      const victim = this.#resting.find(({ sandbox }) => counts.get(sandbox.teamId) === largest);
      if (victim === undefined) return;
      this.#give(victim);
    }
  }

  #isOutdated({ sandbox, since }: Resting): boolean {
    const { ageMs, idleMs, clock } = this.limits;
    const now = clock();
    return now - since >= idleMs || now - (this.#known.get(sandbox)?.bornAt ?? now) >= ageMs;
  }

  #give(resting: Resting): void {
    this.#drop(resting);
    this.#end(resting.sandbox);
  }

  #drop(resting: Resting): void {
    clearTimeout(resting.timer);
    this.#resting = this.#resting.filter((each) => each !== resting);
  }

  #end(sandbox: KeptSandbox): void {
    const ended = sandbox.end().finally(() => this.#ending.delete(ended));
    ended.catch(() => undefined);
    this.#ending.add(ended);
  }
}

/**
 * What jobs must have in common to be served by the same sandbox: their team, what runs, and how it is isolated.
 * @returns undefined: the job gets a fresh one
 */
export function keptKey(job: Job, level: Level, masker: Masker): string | undefined {
  const [step] = job.steps;
  if (job.keep === undefined || step?.language === undefined || job.steps.length > 1 || !canKeep(job, level)) return undefined;
  // A step with a condition may not start at all.
  if (!isPlainStep(step)) return undefined;
  if (!job.keep.withSecrets && hasSecret(job, step, masker)) return undefined;
  // A variable with an unusual name is set by a program that keeps running beside the step.
  if (writeEnvironment(new Map((step.env ?? []).map(({ name, value }) => [name, value]))).oddOnes.size > 0) return undefined;
  const { name, language, script, env, workingDir } = step;
  const { memoryBytes, processes } = job.limits;
  const parts = [name, language, script, workingDir, env].map((part) => JSON.stringify(part ?? null));
  // It includes the team itself, so that keeping teams apart does not rely on a hash.
  return `${job.teamId} ${shortHash([job.keep.definition, ...parts, job.network, level.name, memoryBytes, processes])}`;
}

/**
 * Only where nothing of a sandbox outlives it and nothing leads out of it: with its own processes, files and network. Workspaces and
 * volumes are mounted before a sandbox starts, and would lead from one task into another.
 */
function canKeep({ network, workspaces, volumes }: Job, { hasOwnProcesses, hasOwnFiles, hasOwnNetwork }: Level): boolean {
  return hasOwnProcesses && hasOwnFiles && hasOwnNetwork && network !== "host" && workspaces.length === 0 && volumes === undefined;
}

/** Whether the job is given a secret: that its run has one does not mean that this task gets it. */
function hasSecret({ params, secrets }: Job, { script = "", workingDir = "", env = [] }: PlainStep, masker: Masker): boolean {
  const texts = [...params.map(({ value }) => parameterText(value)), ...[script, workingDir, ...env.map(({ value }) => value)]];
  if (params.some(({ value }) => JSON.stringify(masker.maskValue(value)) !== JSON.stringify(value))) return true;
  return texts.some((text) => masker.maskText(text) !== text || secrets.some((secret) => secret !== "" && text.includes(secret)));
}
