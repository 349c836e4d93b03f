import { Readable } from "node:stream";
import type { EventBus } from "../../base/process/event-bus.ts";
import { channels } from "../../domain/run/report-changes.ts";
import type { Database } from "../../store/database/database.ts";
import { type ChangeReach, describeChanges } from "./describe-changes.ts";

/**
 * Changes as server-sent events (HTML standard, 9.2), for open pages.
 *
 * An event only names what changed: a page that shows the object requests it again. So nothing has to be stored for a disconnected client:
 * when it reconnects (`Last-Event-ID`), it gets `reset` and requests everything it shows. The same happens if there were too many changes
 * or their names were lost, and if the teams that the client may read have changed. Wakes contain the IDs of runs of all teams. The
 * database says which of them the client may see, so the ID of another team's run is never sent.
 */
export interface ChangeStreamOptions {
  sql: Database;
  bus: EventBus;
  /** Only changes of this team; undefined: of everything that the client may read, and of the instance. */
  teamId?: string;
  /** Called before each check: kinds that the client may not read (any more) are left out, and the stream ends if this is undefined. */
  reachNow(): Promise<ChangeReach | undefined>;
  /** The client reconnects. */
  isReturning: boolean;
  stopping: AbortSignal | undefined;
  /** Interval of keep-alive messages: proxies close silent connections after their read timeout, mostly 60 s. */
  beatMs?: number;
}

/** Changes within this time are sent together; more of them for many teams. */
const gatherMs = { team: 100, everywhere: 400 };
/** Each heartbeat also checks whether the client still may read. */
const usualBeatMs = 10_000;
const maxRuns = 500;
const maxPendingChanges = 500;
/** Bytes that may wait for a client that doesn't read. Beyond that it has to request everything again, once it reads. */
const maxWaiting = 64 * 1024;
/** For the browser: how long to wait before it reconnects. */
const retryMs = 1000;

export class ChangeStream extends Readable {
  readonly #options: ChangeStreamOptions;
  readonly #unsubscribe: (() => void)[];
  readonly #runs = new Set<string>();
  /** As on the event bus, `TEAM-ID KIND` or `instance KIND`. */
  readonly #pending = new Set<string>();
  #mark: string | undefined;
  #isLost: boolean;
  #isLooking = false;
  #number = 0;
  #gathering: NodeJS.Timeout | undefined;
  readonly #beat: NodeJS.Timeout;

  constructor(options: ChangeStreamOptions) {
    super({ encoding: undefined });
    this.#options = options;
    this.#isLost = options.isReturning;
    const { bus, teamId, stopping, beatMs = usualBeatMs } = options;
    const stop = () => void this.destroy();
    stopping?.addEventListener("abort", stop, { once: true });
    this.#unsubscribe = [
      bus.onWake(channels.runs, (ids) => this.#noteRuns(ids)),
      bus.onWake(channels.teams, (news) => this.#recordChange(news)),
      bus.onWake(channels.delivered, (places) => this.#noteDeliveries(places)),
      teamId === undefined ? bus.onWake(channels.workers, () => this.#recordChange(workerChange)) : () => undefined,
      () => stopping?.removeEventListener("abort", stop),
    ];
    this.#beat = setInterval(() => this.#look("beat"), beatMs);
    this.push(`retry: ${retryMs}\n\n`);
    this.#look("first");
    if (stopping?.aborted) stop();
  }

  override _read(): void {}

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    for (const end of this.#unsubscribe) end();
    clearInterval(this.#beat);
    clearTimeout(this.#gathering);
    callback(error);
  }

  #noteRuns(ids: ReadonlySet<string> | undefined): void {
    for (const id of ids ?? []) this.#runs.add(id);
    if (ids === undefined || this.#runs.size > maxRuns) this.#lose();
    this.#gather();
  }

  #recordChange(news: ReadonlySet<string> | undefined): void {
    if (news === undefined) this.#isLost = true;
    const { teamId } = this.#options;
    const mine = [...(news ?? [])].filter((one) => teamId === undefined || one.startsWith(`${teamId} `));
    for (const one of mine) this.#pending.add(one);
    if (this.#pending.size > maxPendingChanges) this.#lose();
    if (news === undefined || mine.length > 0) this.#gather();
  }

  /** Only of one team: over all teams there would be too many. Unknown ones may be among those. */
  #noteDeliveries(places: ReadonlySet<string> | undefined): void {
    const place = this.#options.teamId ?? "instance";
    if (places === undefined || places.has(place)) this.#recordChange(new Set([`${place} delivery`]));
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#look("news"), this.#options.teamId === undefined ? gatherMs.everywhere : gatherMs.team);
  }

  /** One look at a time; what comes meanwhile is examined afterwards. */
  #look(why: "first" | "news" | "beat"): void {
    this.#gathering = undefined;
    if (this.#isLooking || this.destroyed) return;
    if (this.readableLength > maxWaiting) return void this.#lose();
    this.#isLooking = true;
    this.#tell(why).then(
      () => {
        this.#isLooking = false;
        if (this.#isLost || this.#runs.size > 0 || this.#pending.size > 0) this.#gather();
      },
      (error: Error) => this.destroy(error),
    );
  }

  async #tell(why: "first" | "news" | "beat"): Promise<void> {
    const reach = await this.#options.reachNow();
    if (reach === undefined) return void this.destroy();
    if (this.#mark !== undefined && this.#mark !== reach.mark) this.#isLost = true;
    this.#mark = reach.mark;
    // No write shows that a worker stopped responding: only time does.
    if (why === "beat" && reach.kindsIn(undefined).has("worker")) this.#recordChange(workerChange);
    const text = this.#isLost ? this.#takeReset() : await this.#takeChanges(reach);
    if (this.destroyed) return;
    if (text !== "") this.push(text);
    else if (why === "beat") this.push(": still here\n\n");
  }

  #lose(): void {
    this.#isLost = true;
    this.#runs.clear();
    this.#pending.clear();
  }

  #takeReset(): string {
    this.#lose();
    this.#isLost = false;
    return this.#event("reset", {});
  }

  async #takeChanges(reach: ChangeReach): Promise<string> {
    const { sql, teamId } = this.#options;
    const noted = { runs: [...this.#runs], news: [...this.#pending] };
    this.#runs.clear();
    this.#pending.clear();
    const changes = await describeChanges(sql, reach, noted, { isNamingTeams: teamId === undefined });
    return changes.map((change) => this.#event("change", change)).join("");
  }

  #event(name: "change" | "reset", data: object): string {
    this.#number += 1;
    return `id: ${this.#number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

const workerChange: ReadonlySet<string> = new Set(["instance worker"]);
