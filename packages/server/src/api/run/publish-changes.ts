import type { RunChange } from "../../core/run/run-change.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { wakeForChanges, wakeForSubmitted } from "../../domain/run/wake-for-changes.ts";
import type { Services } from "../endpoint.ts";

/** Runs after the commit of a request that changed runs: passes their states to an engine in this process, and notifies all processes. */
export function publishChanges({ runs, bus }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  wakeForChanges(bus, changes);
}

export function publishSubmitted({ runs, bus }: Services, { row: _, ...state }: RecordedRun): void {
  runs.states.put(state);
  wakeForSubmitted(bus, state);
}
