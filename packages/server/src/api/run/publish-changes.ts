import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { reportChanges, reportSubmitted } from "../../domain/run/report-changes.ts";
import type { Services } from "../endpoint.ts";

/** Called after the commit of a request that changed runs: passes their states to an engine in this process, and notifies all processes. */
export function publishChanges({ runs, bus }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  reportChanges({ bus, context: runs }, changes);
}

export function publishSubmitted({ runs, bus }: Services, run: RecordedRun): void {
  // Only what goes on is kept, and so has to be copied without its row.
  runs.states.put(run.phase === "running" ? withoutRow(run) : run);
  reportSubmitted({ bus, context: runs }, run);
}

function withoutRow({ row: _, ...state }: RecordedRun): RunState {
  return state;
}
