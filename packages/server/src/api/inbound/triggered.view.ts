import type { RefusedRun, TriggeredRuns } from "@millrace/contract/inbound/event.ts";
import type { RecordedRun } from "../../domain/run/record-run.ts";
import { idsWithoutValues } from "../../store/database/large-values.ts";
import { viewRun } from "../run/run.view.ts";

/** Each run repeats the inbound data: beyond this many bytes in total, runs are listed without their values. */
const maxBytes = 1024 * 1024;

/** Runs that one event or one batch started. */
export function viewTriggered(started: { runs: readonly RecordedRun[]; refused: RefusedRun[] }): TriggeredRuns {
  const sizes = started.runs.map(({ id, row }) => ({ id, bytes: JSON.stringify(row.params).length }));
  const cut = new Set(idsWithoutValues(sizes, maxBytes));
  const runs = started.runs.map(({ id, row }) =>
    viewRun(cut.has(id) ? { ...row, params: [], annotations: {}, results: [], isTruncated: true } : row),
  );
  return { runs, refused: started.refused };
}

export function mergeTriggered(parts: readonly TriggeredRuns[]): TriggeredRuns {
  return { runs: parts.flatMap(({ runs }) => runs), refused: parts.flatMap(({ refused }) => refused) };
}
