import { hostname } from "node:os";
import type { MachineFault } from "../base/error/machine-fault.ts";
import { slotsInUse, slotsOfWorker } from "../base/metrics/metrics.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { blockOfLine, escapeControls } from "../core/log/log-lines.ts";
import type { RunEvent } from "../core/run/advance.ts";
import type { AttemptLoss } from "../core/run/finish-task.ts";
import type { RunNeed } from "../core/task/place-task.ts";
import { reservedSlots } from "../core/worker/slot-shares.ts";
import { storePlace } from "../core/worker/workspace-place.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import { channels } from "../domain/run/report-changes.ts";
import type { Database } from "../store/database/database.ts";
import type { NextClaims } from "../store/run/run-changes.ts";
import { type Claim, claimTaskRuns, type HeldAttempt, type WorkerPlace } from "../store/worker/workers.ts";
import { AttemptFinisher } from "./attempt-finisher.ts";
import type { Executor, Job, JobHandle, JobOutcome } from "./executor.ts";
import type { ExecutorSet } from "./executor-set.ts";
import { LogWriter } from "./log-writer.ts";
import type { PreparedJob } from "./prepare-jobs.ts";
import type { WorkspaceArchiver } from "./workspace-archiver.ts";

/**
 * Claims ready task runs into this process's free slots and runs them on its executors. It reports every end through the finisher and never
 * writes a state itself. An attempt that is no longer ours (cancelled, timed out, lease lost) is stopped as soon as that is noticed; the
 * fence refuses what it reports later.
 */

/** Where a worker has its workspaces. Without a folder it takes no task that shares one; both may be set after the start. */
export interface WorkerFolder {
  /** The same after each restart. */
  place?: WorkerPlace | undefined;
  /** Set if there is a store of workspaces. */
  archiver?: WorkspaceArchiver | undefined;
}

export interface WorkerParts {
  sql: Database;
  bus: EventBus;
  log: Log;
  executors: ExecutorSet;
  /** Registered worker; claims are made in its name. */
  workerId: string;
  /** Id of its folder of workspaces. */
  place?: string | undefined;
  /** Absent: workspaces are in that folder only. */
  archiver?: Pick<WorkspaceArchiver, "restore" | "save"> | undefined;
  slots: number;
  labels: string[];
  graceMs: number;
  prepare(claims: readonly Claim[]): Promise<PreparedJob[]>;
  /** Records ends of attempts and claims the next ones in the same round trip; undefined: it did not look for any. */
  complete(work: readonly RunWork[], next: NextClaims): Promise<Claim[] | undefined>;
  /** Called with what was claimed outside of `complete`. */
  claimed(claims: readonly Claim[], workerId: string): void;
}

interface Running {
  claim: Claim;
  handle: JobHandle | undefined;
  /** The executor that runs it; undefined while it is being prepared. */
  executor: Executor | undefined;
  done: Promise<void>;
  /** Why this process stopped it, if it did. */
  stopped: "cancelled" | "timedout" | "shutdown" | undefined;
}

/** A claim that could not be prepared. */
interface Unprepared {
  error: unknown;
}

/** How long a closing worker tries to report the ends of its attempts. */
const lastReportsMs = 5000;

export class Worker {
  readonly #parts: WorkerParts;
  readonly #running = new Map<string, Running>();
  readonly #finisher: AttemptFinisher;
  readonly #logs: LogWriter;
  /** Free slots that a claim in progress may fill. */
  #asked = 0;
  /** The claim that was made with the last ends left nothing behind. */
  #isDrained = false;
  /** Work may have arrived while there was no free slot. */
  #isAwaited = false;
  /** Names of attempts that were released because the response to their claim did not arrive. */
  readonly #released = new Set<string>();
  #isClosed = false;
  /** Nothing starts any more: the grace period is over, or the lease. */
  #isAbandoned = false;
  /** It was closed although its lease was valid: what it releases was not lost through a fault. */
  #isClosedInTime = false;

  constructor(parts: WorkerParts) {
    this.#parts = { ...parts };
    slotsOfWorker.set(parts.slots);
    this.#finisher = new AttemptFinisher((work) => this.#complete(work), parts.log);
    this.#logs = new LogWriter(parts);
  }

  get freeSlots(): number {
    return this.#parts.slots - this.#running.size - this.#asked;
  }

  /** Slots that no single team can fill. */
  get #reserved(): number {
    return reservedSlots(this.#parts.slots);
  }

  /** Fills the free slots. @returns how many were claimed */
  async tick(): Promise<number> {
    const { sql, workerId, executors, labels } = this.#parts;
    const { needs } = executors;
    this.#isAwaited ||= this.freeSlots <= 0;
    if (this.#isClosed || this.freeSlots <= 0 || needs.length === 0) return 0;
    const places = this.#placesOf(needs);
    const [claims, begun] = await this.#askFor(this.freeSlots, async (wanted) => {
      const claimed = await claimTaskRuns(sql, workerId, wanted, needs, labels, this.#reserved, places);
      this.#parts.claimed(claimed, workerId);
      return claimed;
    });
    await begun;
    return claims.length;
  }

  #placesOf(needs: readonly RunNeed[]): string[] {
    const { executors, place, archiver } = this.#parts;
    return [...executors.placesOf(needs, place), ...(archiver ? [storePlace] : [])];
  }

  /** Reports ends; the freed slots are filled in the same round trip. */
  async #complete(work: readonly RunWork[]): Promise<void> {
    const { workerId, executors, labels } = this.#parts;
    const free = this.#isClosed ? 0 : Math.max(0, this.freeSlots);
    const ending = this.#isClosed ? 0 : this.#countOwn(work);
    const { needs } = executors;
    const next = { workerId, needs, labels, reserved: this.#reserved, places: this.#placesOf(needs) };
    await this.#askFor(free, async () => {
      const wanted = free + ending;
      const claims = await this.#parts.complete(work, { ...next, wanted });
      // A team gets at most half of what is requested, so it may have more.
      this.#isDrained = claims !== undefined && claims.length < wanted / 2;
      return claims ?? [];
    });
  }

  /** Free slots are reserved while a claim is in progress, so that two concurrent claims don't fill the same ones. */
  async #askFor(wanted: number, claim: (wanted: number) => Promise<Claim[]>): Promise<[Claim[], Promise<void>]> {
    this.#asked += wanted;
    try {
      const claims = await claim(wanted);
      return [claims, this.#begin(claims)];
    } finally {
      this.#asked -= wanted;
    }
  }

  /** How many of the ended attempts have a slot here. */
  #countOwn(work: readonly RunWork[]): number {
    const events = work.flatMap((run) => run.events);
    return events.filter((event) => "attempt" in event && this.#running.get(event.taskRunId)?.claim.attempt === event.attempt).length;
  }

  /** For what is claimed from now on. */
  useFolder({ place, archiver }: WorkerFolder): void {
    this.#parts.place = place?.id;
    this.#parts.archiver = archiver;
  }

  /** Attempts that this worker holds, by task run id. */
  held(): Claim[] {
    return [...this.#running.values()].map(({ claim }) => claim);
  }

  /** Stops what others have ended, by task run id; `keep` lists the attempts that are still ours. */
  stopTaken(keep: ReadonlyMap<string, number>): void {
    for (const running of this.#running.values()) {
      if (keep.get(running.claim.id) !== running.claim.attempt) this.#stop(running, "cancelled");
    }
  }

  stopIds(ids: Iterable<string>): void {
    for (const id of ids) {
      const running = this.#running.get(id);
      if (running) this.#stop(running, "cancelled");
    }
  }

  /** The lease has expired or is about to: none of our results would be accepted, and nothing may be claimed under it. */
  abandonAll(): void {
    this.#isClosed = true;
    this.#isAbandoned = true;
    for (const running of this.#running.values()) this.#stop(running, "shutdown");
  }

  /** No new claims. Running attempts get the grace period, then they are released. */
  async close(graceMs = this.#parts.graceMs): Promise<void> {
    this.#isClosedInTime ||= !this.#isClosed;
    this.#isClosed = true;
    if (this.#running.size === 0 && this.#asked === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.#allOver(), grace]);
    clearTimeout(timer);
    this.abandonAll();
    await Promise.race([this.#allOver(), this.#lastReports()]);
  }

  /** Ends that can't be reported now (the database is unreachable) count as lost when the lease expires, so nothing waits forever. */
  async #lastReports(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, lastReportsMs).unref());
    if (this.#running.size > 0)
      this.#parts.log.warn({ attempts: this.#running.size }, "the worker stops before all attempts were reported");
  }

  /** A claim that was in progress when the worker was closed may still bring attempts. */
  async #allOver(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  #begin(claimed: readonly Claim[]): Promise<void> {
    const claims = claimed.filter((claim) => !this.#released.delete(nameOf(claim)));
    const prepared = this.#prepare(claims);
    for (const claim of claims) {
      // A claim that was in progress when the worker closed runs like earlier ones, within the grace period.
      const stopped = this.#isAbandoned ? "shutdown" : undefined;
      const running: Running = { claim, handle: undefined, executor: undefined, done: Promise.resolve(), stopped };
      running.done = prepared.then((jobs) => this.#runPrepared(running, jobs.get(claim))).catch((error) => this.#giveUp(running, error));
      this.#running.set(claim.id, running);
      slotsInUse.set(this.#running.size);
      this.#parts.bus.wake(channels.runs, claim.runId);
    }
    return prepared.then(() => {});
  }

  /** If a claim can't be prepared, its error is in the result; the other claims are not affected. */
  async #prepare(claims: readonly Claim[]): Promise<Map<Claim, PreparedJob | Unprepared>> {
    if (claims.length === 0) return new Map();
    try {
      return new Map((await this.#parts.prepare(claims)).map((prepared) => [prepared.claim, prepared]));
    } catch (error) {
      if (claims.length > 1) return new Map((await Promise.all(claims.map((claim) => this.#prepare([claim])))).flatMap((one) => [...one]));
      return new Map(claims.map((claim) => [claim, { error }]));
    }
  }

  async #runPrepared(running: Running, known: PreparedJob | Unprepared | undefined): Promise<void> {
    if (known && "error" in known) throw known.error;
    const prepared = known?.later === undefined ? known : await known.later;
    if (!prepared || running.stopped === "shutdown") return this.#requeue(running);
    for (const text of prepared.notes ?? []) this.#say(running.claim, text);
    if (prepared.job) return this.#run(running, prepared.job, prepared.executor);
    return this.#refuse(running.claim, prepared.refusal);
  }

  #say(claim: Claim, text: string): void {
    void this.#logs.add(claim, blockOfLine({ at: Date.now(), step: "", stream: "system", text: escapeControls(text) }));
  }

  async #run(running: Running, job: Job, executor: Executor): Promise<void> {
    const { claim } = running;
    running.executor = executor;
    // A cluster has volumes of its own.
    const archiver = executor.kind === "kubernetes" ? undefined : this.#parts.archiver;
    const restored = await archiver?.restore(job);
    if (isShutDown(running)) return this.#requeue(running);
    if (restored?.lost !== undefined) return this.#refuse(claim, { reason: "WorkspaceLost", message: restored.lost, status: "failed" });
    running.handle = executor.start(restored?.isReplaced ? { ...job, lostAttempts: 0 } : job, (block) => this.#logs.add(claim, block));
    if (running.stopped) running.handle.stop(running.stopped, 0);
    const outcome = await running.handle.done;
    if (archiver && outcome.status !== "lost" && !isShutDown(running))
      for (const warning of await archiver.save(job)) this.#say(claim, warning);
    await this.#logs.flush(claim);
    await this.#report(running, outcome);
  }

  async #report(running: Running, outcome: JobOutcome): Promise<void> {
    const { claim, executor, stopped } = running;
    if (stopped === "shutdown") return this.#requeue(running);
    const facts = { ...outcome, ...(executor && { executor: executor.kind }) };
    await this.#finisher.report(claim, endOf(claim, facts));
    this.#release(claim);
  }

  async #refuse(claim: Claim, refusal: PreparedJob["refusal"]): Promise<void> {
    const outcome = { status: "invalid" as const, reason: "InvalidTask", message: "it cannot run here", results: [], ...refusal };
    await this.#finisher.report(claim, { kind: "ended", taskRunId: claim.id, attempt: claim.attempt, outcome });
    this.#release(claim);
  }

  /** Attempts that were claimed for us without our knowledge. They have not started, and won't if the response arrives after all. */
  async releaseUnknown(attempts: readonly HeldAttempt[]): Promise<void> {
    const loss: AttemptLoss = { isNotStarted: true, host: hostname() };
    for (const attempt of attempts) this.#released.add(nameOf(attempt));
    await Promise.all(
      attempts.map((attempt) => this.#finisher.report(attempt, { kind: "lost", taskRunId: attempt.id, attempt: attempt.attempt, loss })),
    );
  }

  /** A bug of ours or of the executor costs this attempt. Thrown further, it would end the process, and with it every other attempt. */
  async #giveUp(running: Running, error: unknown): Promise<void> {
    this.#parts.log.error({ err: error, taskRunId: running.claim.id }, "an attempt failed unexpectedly and is released");
    running.handle?.stop("shutdown", 0);
    await this.#requeue(running, this.#parts.executors.blame(error));
  }

  /** The attempt counts as lost, and another one may start at once. */
  async #requeue({ claim, executor, handle, stopped }: Running, fault?: MachineFault): Promise<void> {
    // When the next attempt appears in the log, everything of this one is before it.
    await this.#logs.flush(claim);
    const loss: AttemptLoss = {
      isReleased: this.#isClosedInTime && stopped === "shutdown",
      isNotStarted: !handle,
      host: hostname(),
      ...(executor && { executor: executor.kind }),
      ...(fault && { fault: { reason: "MachineFault", message: `the attempt could not be run: ${fault.words}` } }),
    };
    await this.#finisher.report(claim, { kind: "lost", taskRunId: claim.id, attempt: claim.attempt, loss });
    this.#release(claim);
  }

  #release(claim: Claim): void {
    // A released task run may have been claimed again, as a new attempt.
    if (this.#running.get(claim.id)?.claim.attempt === claim.attempt) this.#running.delete(claim.id);
    slotsInUse.set(this.#running.size);
    if (this.#isClosed || (this.#isDrained && !this.#isAwaited)) return;
    this.#isAwaited = false;
    this.#parts.bus.deliver(channels.tasks, undefined);
  }

  #stop(running: Running, why: "cancelled" | "shutdown"): void {
    if (running.stopped) return;
    running.stopped = why;
    running.handle?.stop(why, why === "shutdown" ? 0 : this.#parts.graceMs);
  }
}

/** A function, because the compiler assumes that a value it has checked once does not change. */
function isShutDown({ stopped }: Running): boolean {
  return stopped === "shutdown";
}

/** What an executor reports, in the form that the run takes it. */
function endOf({ id, attempt }: Claim, { status, hasBegun, ...outcome }: JobOutcome): RunEvent {
  if (status !== "lost") return { kind: "ended", taskRunId: id, attempt, outcome: { ...outcome, status } };
  const { reason, message, ...facts } = outcome;
  return { kind: "lost", taskRunId: id, attempt, loss: { ...facts, fault: { reason, message }, isNotStarted: hasBegun !== true } };
}

function nameOf({ id, attempt }: HeldAttempt): string {
  return `${id} ${attempt}`;
}
