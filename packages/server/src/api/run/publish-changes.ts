import type { RunChange } from "../../core/run/run-change.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { reportChanges, reportSubmitted } from "../../domain/run/report-changes.ts";
import type { Services } from "../endpoint.ts";

/** Runs after the commit of a request that changed runs: passes their states to an engine in this process, and notifies all processes. */
export function publishChanges({ runs, bus }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  reportChanges({ bus, context: runs }, changes);
}

export function publishSubmitted({ runs, bus }: Services, { row: _, ...state }: RecordedRun): void {
  runs.states.put(state);
  reportSubmitted({ bus, context: runs }, state);
}
