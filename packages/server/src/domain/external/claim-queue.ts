import type { EventBus } from "../../base/process/event-bus.ts";
import type { Log } from "../../base/process/log.ts";
import type { Database } from "../../store/database/database.ts";
import { claimExternalTaskRuns, type ExternalWorkerKey } from "../../store/external/external-workers.ts";
import { listReadyNeeds } from "../../store/external/waiting-claims.ts";
import type { Claim } from "../../store/worker/workers.ts";
import { channels } from "../run/report-changes.ts";

/**
 * Claims of external workers that wait in this process. Claims of a team for the same tasks form one queue: when there is work, the first
 * one claims, then the next, until one gets nothing. So a task run that becomes ready costs a claim or two, however many wait, and work for
 * other queues costs the waiting ones nothing.
 *
 * A notification (channel `external`) says when to try. Since notifications may be lost, one statement checks for all queues every two
 * seconds.
 */

const sweepMs = 2000;

interface WaitingClaim {
  key: ExternalWorkerKey;
  wanted: number;
  /** Its time is up, or its client has disconnected: it gets what it is claiming now, and nothing later. */
  isOver: boolean;
  isClaiming: boolean;
  answer(claims: Claim[]): void;
  fail(error: unknown): void;
}

interface Line {
  teamId: string;
  needs: readonly string[];
  waiting: WaitingClaim[];
  isServing: boolean;
  /** More work may have arrived while it was served. */
  isWoken: boolean;
}

export class ClaimQueue {
  readonly #parts: { sql: Database; bus: EventBus; log: Log };
  readonly #lines = new Map<string, Map<string, Line>>();
  #count = 0;
  #sweep: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: { sql: Database; bus: EventBus; log: Log }) {
    this.#parts = parts;
  }

  /** The number of waiting claims of a team. */
  countOf(teamId: string): number {
    let count = 0;
    for (const { waiting } of this.#lines.get(teamId)?.values() ?? []) count += waiting.length;
    return count;
  }

  /**
   * Claims as soon as there is something. Returns nothing if the time is up or a signal ends the wait.
   * @param needs of the tasks
   */
  async claim(
    key: ExternalWorkerKey,
    wanted: number,
    needs: readonly string[],
    waitMs: number,
    signals: readonly AbortSignal[],
  ): Promise<Claim[]> {
    if (waitMs <= 0) return claimExternalTaskRuns(this.#parts.sql, key, wanted, needs);
    const line = this.#lineOf(key.teamId, [...new Set(needs)].sort());
    let timer: NodeJS.Timeout | undefined;
    let end = () => {};
    try {
      return await new Promise<Claim[]>((answer, fail) => {
        const waiting: WaitingClaim = { key, wanted, isOver: false, isClaiming: false, answer, fail };
        end = () => this.#end(line, waiting);
        line.waiting.push(waiting);
        this.#count += 1;
        timer = setTimeout(end, waitMs);
        for (const signal of signals) signal.addEventListener("abort", end);
        if (signals.some(({ aborted }) => aborted)) end();
        else this.#wake(line);
      });
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", end);
      this.#leave(line);
    }
  }

  #lineOf(teamId: string, needs: readonly string[]): Line {
    const lines = this.#lines.get(teamId) ?? new Map<string, Line>();
    const name = needs.join(" ");
    const line = lines.get(name) ?? { teamId, needs, waiting: [], isServing: false, isWoken: false };
    this.#lines.set(teamId, lines.set(name, line));
    this.#unsubscribe ??= this.#parts.bus.onWake(channels.external, (teams) => this.#wakeTeams(teams));
    this.#sweep ??= setInterval(() => void this.#look(), sweepMs).unref();
    return line;
  }

  /** Removes empty queues. Without any queue, the periodic check stops. */
  #leave(line: Line): void {
    this.#count -= 1;
    const lines = this.#lines.get(line.teamId);
    if (line.waiting.length === 0 && !line.isServing) lines?.delete(line.needs.join(" "));
    if (lines?.size === 0) this.#lines.delete(line.teamId);
    if (this.#count > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #wakeTeams(teams: ReadonlySet<string> | undefined): void {
    for (const [teamId, lines] of this.#lines) if (!teams || teams.has(teamId)) for (const line of lines.values()) this.#wake(line);
  }

  #wake(line: Line): void {
    line.isWoken = true;
    if (!line.isServing) void this.#serve(line);
  }

  async #serve(line: Line): Promise<void> {
    line.isServing = true;
    while (line.isWoken) {
      line.isWoken = false;
      while (line.waiting[0] && (await this.#claimFor(line, line.waiting[0])));
    }
    line.isServing = false;
    if (line.waiting.length === 0) this.#lines.get(line.teamId)?.delete(line.needs.join(" "));
  }

  /** @returns whether the next one may get something, too */
  async #claimFor(line: Line, waiting: WaitingClaim): Promise<boolean> {
    waiting.isClaiming = true;
    try {
      const claims = await claimExternalTaskRuns(this.#parts.sql, waiting.key, waiting.wanted, line.needs);
      waiting.isClaiming = false;
      if (claims.length === 0 && !waiting.isOver) return false;
      take(line, waiting);
      waiting.answer(claims);
      return claims.length > 0;
    } catch (error) {
      take(line, waiting);
      waiting.fail(error);
      return true;
    }
  }

  #end(line: Line, waiting: WaitingClaim): void {
    waiting.isOver = true;
    if (waiting.isClaiming) return;
    take(line, waiting);
    waiting.answer([]);
  }

  async #look(): Promise<void> {
    const wanted = [...this.#lines.values()].flatMap((lines) =>
      [...lines.values()].flatMap(({ teamId, needs }) => needs.map((need) => ({ teamId, need }))),
    );
    try {
      const found = new Set((await listReadyNeeds(this.#parts.sql, wanted)).map(({ teamId, need }) => `${teamId} ${need}`));
      for (const lines of this.#lines.values())
        for (const line of lines.values()) if (line.needs.some((need) => found.has(`${line.teamId} ${need}`))) this.#wake(line);
    } catch (error) {
      this.#parts.log.warn({ err: error }, "claims of external workers could not be looked for; trying again");
    }
  }
}

function take(line: Line, waiting: WaitingClaim): void {
  const at = line.waiting.indexOf(waiting);
  if (at >= 0) line.waiting.splice(at, 1);
}
