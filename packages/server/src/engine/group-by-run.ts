import type { RunEvent } from "../core/run/advance.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import type { HeldAttempt } from "../store/worker/workers.ts";

/** What happened to attempts, as one piece of work for each run. */
export function groupByRun<T extends Pick<HeldAttempt, "teamId" | "runId">>(
  items: readonly T[],
  eventOf: (item: T) => RunEvent,
): RunWork[] {
  const work = new Map<string, { teamId: string; id: string; events: RunEvent[] }>();
  for (const item of items) {
    const run = work.get(item.runId) ?? { teamId: item.teamId, id: item.runId, events: [] };
    run.events.push(eventOf(item));
    work.set(item.runId, run);
  }
  return [...work.values()];
}
