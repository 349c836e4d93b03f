import type { RunChange } from "../../core/run/run-change.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { wakeForChanges, wakeForSubmitted } from "../../domain/run/wake-for-changes.ts";
import type { Services } from "../endpoint.ts";

/** What follows the commit of a request that changed runs: an engine in this process knows their states, and all are informed of them. */
export function publishChanges({ runs, bus }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  wakeForChanges(bus, changes);
}

export function publishSubmitted({ runs, bus }: Services, { row: _, ...state }: RecordedRun): void {
  runs.states.put(state);
  wakeForSubmitted(bus, state);
}
