import type { MillraceClient, Schemas } from "@millrace/client/client.ts";
import { isFinal } from "@millrace/contract/status.ts";

type Run = Schemas["WorkflowRun"];

/** The polling interval without a reported change: a proxy may hold the stream back, or the caller may not be allowed to read it. */
const pollMs = 2_000;
/** The minimum time between two requests, however many changes there are; longer for runs with thousands of tasks. */
const leastMs = 200;
const restFactor = 3;

export interface WatchOptions {
  client: MillraceClient;
  team: string;
  runId: string;
  /** Called with each state that was read: the first one, and whenever something may have changed. */
  show: (run: Run) => void;
  /** Gives up watching; the run continues. */
  signal?: AbortSignal;
}

/** Watches until the run has ended or the signal aborts. Resolves to the last state that was read. */
export async function watchRun({ client, team, runId, show, signal }: WatchOptions): Promise<Run> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  signal?.addEventListener("abort", stop);
  const alarm = new Alarm(ended.signal);
  void ringOnChanges(client, team, runId, alarm, ended.signal);
  try {
    for (;;) {
      const startedAt = performance.now();
      const run = await client.get("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team, runId } } });
      show(run);
      if (isFinal(run.status) || ended.signal.aborted) return run;
      await alarm.wait(Math.max(leastMs, (performance.now() - startedAt) * restFactor), pollMs);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    ended.abort();
  }
}

/** What can't be followed is examined from time to time. */
async function ringOnChanges(client: MillraceClient, team: string, runId: string, alarm: Alarm, signal: AbortSignal): Promise<void> {
  try {
    for await (const { kind, id } of client.changes({ team, signal })) if (kind === "reset" || id === runId) alarm.ring();
  } catch {
    // If something is wrong with the service, polling will report it.
  }
}

class Alarm {
  readonly #signal: AbortSignal;
  #isDue = false;
  #look = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#look());
  }

  ring(): void {
    this.#isDue = true;
    this.#look();
  }

  /** Waits `leastWaitMs`, and then for `ring()`, but at most `mostWaitMs`. Doesn't wait once the signal has aborted. */
  async wait(leastWaitMs: number, mostWaitMs: number): Promise<void> {
    await this.#pause(leastWaitMs, () => this.#signal.aborted);
    await this.#pause(mostWaitMs, () => this.#signal.aborted || this.#isDue);
    this.#isDue = false;
  }

  #pause(ms: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#look = () => {
        if (!isOver()) return;
        clearTimeout(timer);
        resolve();
      };
      this.#look();
    });
  }
}
