import type { RunChange } from "../../core/run-change.ts";
import { announceChanges, announceSubmitted } from "../../domain/run/announce-changes.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import type { Services } from "../endpoint.ts";

/** What follows the commit of a request that changed runs: an engine in this process knows their states, and all are told of them. */
export function publishChanges({ runs, wire }: Services, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  announceChanges(wire, changes);
}

export function publishSubmitted({ runs, wire }: Services, { row: _, ...state }: RecordedRun): void {
  runs.states.put(state);
  announceSubmitted(wire, state);
}
