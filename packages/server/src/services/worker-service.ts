import { hostname } from "node:os";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import { channels } from "../domain/run/report-changes.ts";
import type { ExecutorSet } from "../engine/executor-set.ts";
import { LeaseKeeper } from "../engine/lease-keeper.ts";
import type { PreparedJob } from "../engine/prepare-jobs.ts";
import { Worker, type WorkerFolder } from "../engine/worker.ts";
import type { Database } from "../store/database/database.ts";
import type { NextClaims } from "../store/run/run-changes.ts";
import { type Claim, endLease, insertWorker, setWorkerPlace } from "../store/worker/workers.ts";
import type { Heartbeat, StartHeartbeat } from "./heartbeat.ts";

export interface WorkerServiceParts {
  sql: Database;
  bus: EventBus;
  log: Log;
  executors: ExecutorSet;
  roles: string[];
  slots: number;
  labels: string[];
  /** Read each time the lease is extended: what is added after the start is used from then on. */
  folder: Readonly<WorkerFolder>;
  leaseSeconds: number;
  /** Without it only the main loop extends the lease. */
  startHeartbeat?: StartHeartbeat | undefined;
  graceMs: number;
  prepare(claims: readonly Claim[]): Promise<PreparedJob[]>;
  complete(work: readonly RunWork[], next: NextClaims): Promise<Claim[] | undefined>;
  claimed(claims: readonly Claim[], workerId: string): void;
}

/** One registration of this process as a worker, from its row to its last report. */
interface Session {
  workerId: string;
  worker: Worker;
  keeper: LeaseKeeper;
  heartbeat: Heartbeat | undefined;
  /** It was registered with its folder of workspaces. */
  hasPlace: boolean;
}

/**
 * The worker role: registers, claims and runs, and extends the lease. If the lease is lost, everything under it is ended, and the process
 * registers again, as another worker.
 */
export class WorkerService implements Service {
  readonly name = "worker";
  readonly #parts: WorkerServiceParts;
  #session: Session | undefined;
  #isLost = false;
  /** Then a lost lease is not followed by a new registration. */
  #isStopping = false;
  readonly #loops: Loop[];
  #watch: NodeJS.Timeout | undefined;
  readonly #unsubscribe: (() => void)[] = [];

  constructor(parts: WorkerServiceParts) {
    this.#parts = parts;
    const { log, leaseSeconds, roles } = parts;
    // An engine in the same process looks for what is ready every five seconds, and wakes this loop.
    const claimMs = roles.includes("engine") ? 15_000 : 5000;
    this.#loops = [
      new Loop({ name: "claim", intervalMs: claimMs, log, round: () => this.#claim() }),
      new Loop({ name: "lease", intervalMs: (leaseSeconds * 1000) / 4, log, round: () => this.#keepLease() }),
    ];
  }

  async start(signal?: AbortSignal): Promise<void> {
    if (this.#session) return;
    this.#isStopping = false;
    this.#session = await this.#register();
    const [claims, lease] = this.#loops as [Loop, Loop];
    this.#unsubscribe.push(
      this.#parts.bus.onWake(channels.tasks, () => claims.wake()),
      // Extending the lease is also when a worker checks for lost attempts. A loop survives an unreachable database.
      this.#parts.bus.onWake(channels.attempts, (ids) => (ids ? this.#session?.worker.stopIds(ids) : lease.wake())),
    );
    this.#watch = setInterval(() => this.#session?.keeper.check(), 250);
    for (const loop of this.#loops) await loop.start(signal);
  }

  async stop(): Promise<void> {
    if (!this.#session) return;
    this.#isStopping = true;
    const [claims, lease] = this.#loops as [Loop, Loop];
    const graceEnd = performance.now() + this.#parts.graceMs;
    await claims.stop();
    // Its lease is extended meanwhile, so that attempts which end within the grace period count.
    await this.#session.worker.close(Math.max(0, graceEnd - performance.now()));
    await lease.stop();
    // A different one than before if a new registration was in progress.
    const { workerId, heartbeat } = this.#session;
    await heartbeat?.stop();
    clearInterval(this.#watch);
    for (const end of this.#unsubscribe.splice(0)) end();
    await endLease(this.#parts.sql, workerId).catch((error) =>
      this.#parts.log.warn({ err: error }, "the lease could not be ended; it will expire"),
    );
    this.#parts.bus.wake(channels.workers);
    this.#session = undefined;
  }

  /** One round of claims, for tests. */
  async tick(): Promise<void> {
    this.#session ??= await this.#register();
    await this.#session.worker.tick();
  }

  async #claim(): Promise<"more" | undefined> {
    if (!this.#session || this.#isLost) return undefined;
    const claimed = await this.#session.worker.tick();
    return claimed > 0 && this.#session.worker.freeSlots > 0 ? "more" : undefined;
  }

  /** A worker that runs nothing, and whose thread extends the lease, polls less often. */
  async #keepLease(): Promise<number | undefined> {
    if (this.#isLost) return this.#isStopping ? undefined : this.#renew();
    await this.#session?.keeper.tick();
    if (!this.#session) return undefined;
    const { worker, heartbeat } = this.#session;
    await this.#useFolder(this.#session);
    return heartbeat && worker.held().length === 0 ? (this.#parts.leaseSeconds * 1000) / 2 : undefined;
  }

  async #useFolder(session: Session): Promise<undefined> {
    const { sql, folder, bus } = this.#parts;
    if (folder.place === undefined || session.hasPlace) return;
    // The row first: it says where the workspaces are for everything that is claimed with the folder.
    await setWorkerPlace(sql, session.workerId, folder.place);
    session.worker.useFolder(folder);
    session.hasPlace = true;
    bus.wake(channels.workers);
    bus.deliver(channels.tasks, undefined);
  }

  async #renew(): Promise<undefined> {
    const old = this.#session;
    await old?.worker.close();
    await old?.heartbeat?.stop();
    this.#session = await this.#register();
    this.#isLost = false;
    this.#parts.bus.deliver(channels.tasks, undefined);
  }

  async #register(): Promise<Session> {
    const { sql, executors, roles, slots, labels, leaseSeconds, log } = this.#parts;
    const { place, archiver } = this.#parts.folder;
    const { available, configured, faults } = executors;
    const row = { host: hostname(), pid: process.pid, roles, executors: available, configured, faults, labels, slots, leaseSeconds, place };
    const workerId = await insertWorker(sql, row);
    this.#parts.bus.wake(channels.workers);
    const worker = new Worker({ ...this.#parts, workerId, place: place?.id, archiver });
    const heartbeat = this.#parts.startHeartbeat?.(workerId, () => this.#loops[1]?.wake());
    const lastBeatAt = heartbeat?.lastBeatAt;
    const keeper = new LeaseKeeper({ sql, worker, executors, workerId, leaseSeconds, log, lastBeatAt, onLost: () => this.#lost() });
    return { workerId, worker, keeper, heartbeat, hasPlace: place !== undefined };
  }

  #lost(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    (this.#loops[1] as Loop).wake();
  }
}
