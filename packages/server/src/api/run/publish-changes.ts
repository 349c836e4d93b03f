import type { RunChange } from "../../core/run/run-change.ts";
import { announceChanges, announceSubmitted } from "../../domain/run/announce-changes.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import type { Services } from "../endpoint.ts";

/** Runs after the commit of a request that changed runs: passes their states to an engine in this process, and notifies all processes. */
export function publishChanges({ runs, bus }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  announceChanges({ bus, context: runs }, changes);
}

export function publishSubmitted({ runs, bus }: Services, { row: _, ...state }: RecordedRun): void {
  runs.states.put(state);
  announceSubmitted({ bus, context: runs }, state);
}
