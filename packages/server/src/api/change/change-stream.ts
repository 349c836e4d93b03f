import { Readable } from "node:stream";
import type { WakeWire } from "../../base/wake-wire.ts";
import { channels } from "../../domain/run/announce-changes.ts";
import type { Database } from "../../store/database.ts";
import { listRunsAmong } from "../../store/run-news.ts";

/**
 * The changes of a team as server-sent events (HTML standard, 9.2), for pages that are open.
 *
 * An event names what changed and nothing else that is worth keeping: whoever shows it asks for it again. So nothing has to be kept for who was
 * away: a reader that comes back (`Last-Event-ID`) gets `reset`, and asks for everything it shows. The same goes for changes that came too many or
 * whose names were lost. Wakes carry ids of runs of all teams; which of them are this team's the database says, so no id of another team leaves.
 */
export interface ChangeStreamOptions {
  sql: Database;
  wire: WakeWire;
  teamId: string;
  /** Asked before each look; a kind that the reader may not read (any more) is left out, and the stream ends when there is none. */
  kindsNow(): Promise<ReadonlySet<string>>;
  /** The reader was here before. */
  isReturning: boolean;
  stopping: AbortSignal | undefined;
}

/** Changes within this time are told together. */
const gatherMs = 100;
/** How often a quiet stream says that it is there, and asks whether its reader still may read. */
const beatMs = 10_000;
const maxRuns = 500;
/** Bytes that may wait for a reader that does not read; beyond them he is told to ask for everything, once he reads again. */
const maxWaiting = 64 * 1024;
/** For the browser: how long to wait before it connects again. */
const retryMs = 1000;

export class ChangeStream extends Readable {
  readonly #options: ChangeStreamOptions;
  readonly #unsubscribe: (() => void)[];
  readonly #runs = new Set<string>();
  readonly #kinds = new Set<string>();
  #isLost: boolean;
  #isLooking = false;
  #number = 0;
  #gathering: NodeJS.Timeout | undefined;
  readonly #beat: NodeJS.Timeout;

  constructor(options: ChangeStreamOptions) {
    super({ encoding: undefined });
    this.#options = options;
    this.#isLost = options.isReturning;
    const { wire, teamId, stopping } = options;
    const stop = () => void this.destroy();
    stopping?.addEventListener("abort", stop, { once: true });
    this.#unsubscribe = [
      wire.onWake(channels.runs, (ids) => this.#noteRuns(ids)),
      wire.onWake(channels.teams, (news) => this.#noteKinds(news, teamId)),
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

  #noteKinds(news: ReadonlySet<string> | undefined, teamId: string): void {
    if (news === undefined) this.#isLost = true;
    const mine = [...(news ?? [])].filter((one) => one.startsWith(`${teamId} `));
    for (const one of mine) this.#kinds.add(one.slice(teamId.length + 1));
    if (news === undefined || mine.length > 0) this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#look("news"), gatherMs);
  }

  /** One look at a time; what comes meanwhile is looked at afterwards. */
  #look(why: "first" | "news" | "beat"): void {
    this.#gathering = undefined;
    if (this.#isLooking || this.destroyed) return;
    if (this.readableLength > maxWaiting) return void this.#lose();
    this.#isLooking = true;
    this.#tell(why).then(
      () => {
        this.#isLooking = false;
        if (this.#isLost || this.#runs.size > 0 || this.#kinds.size > 0) this.#gather();
      },
      (error: Error) => this.destroy(error),
    );
  }

  async #tell(why: "first" | "news" | "beat"): Promise<void> {
    const kinds = await this.#options.kindsNow();
    if (kinds.size === 0) return void this.destroy();
    const text = this.#isLost ? this.#takeReset() : await this.#takeChanges(kinds);
    if (this.destroyed) return;
    if (text !== "") this.push(text);
    else if (why === "beat") this.push(": still here\n\n");
  }

  #lose(): void {
    this.#isLost = true;
    this.#runs.clear();
    this.#kinds.clear();
  }

  #takeReset(): string {
    this.#lose();
    this.#isLost = false;
    return this.#event("reset", {});
  }

  async #takeChanges(kinds: ReadonlySet<string>): Promise<string> {
    const ids = [...this.#runs];
    const changed = [...this.#kinds].filter((kind) => kinds.has(kind));
    this.#runs.clear();
    this.#kinds.clear();
    const isAsked = ids.length > 0 && kinds.has("workflowrun");
    const runs = isAsked ? await listRunsAmong(this.#options.sql, this.#options.teamId, ids) : [];
    return [...runs.map((run) => ({ kind: "workflowrun", ...run })), ...changed.map((kind) => ({ kind }))]
      .map((change) => this.#event("change", change))
      .join("");
  }

  #event(name: "change" | "reset", data: object): string {
    this.#number += 1;
    return `id: ${this.#number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
