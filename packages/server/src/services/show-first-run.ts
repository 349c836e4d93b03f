import { isFinal } from "@millrace/contract/status.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import { channels, reportSubmitted } from "../domain/run/report-changes.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import { submitRun } from "../domain/run/submit-run.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";
import { findRun } from "../store/run/runs.ts";
import { listTaskRuns } from "../store/run/task-runs.ts";

export interface FirstRun {
  sql: Database;
  runs: RunContext;
  bus: EventBus;
  teamId: string;
  workflow: string;
  print(line: string): void;
  signal: AbortSignal;
}

const longestMs = 60_000;

/**
 * Submits a run and prints each of its steps until it ends, as the first thing a new user sees. It reads the same rows as everyone else. It
 * stops watching a run that takes too long.
 */
export async function showFirstRun({ sql, runs, bus, teamId, workflow, print, signal }: FirstRun): Promise<void> {
  const submitted = { teamId, workflow, request: {}, start: false, initiatedBy: "instance" };
  const run = await transaction(sql, (tx) => submitRun(tx, runs, submitted));
  reportSubmitted({ bus, context: runs }, run);
  print(`run ${run.id} of workflow ${workflow} was submitted`);
  const seen = new Map<string, string>();
  const end = performance.now() + longestMs;
  while (!signal.aborted && performance.now() < end) {
    const changed = nextChange(bus, run.id, signal);
    const [row, tasks] = await Promise.all([findRun(sql, teamId, run.id), listTaskRuns(sql, teamId, run.id)]);
    for (const task of tasks) {
      if (task.type === "start" || task.type === "end" || task.status === "notstarted" || seen.get(task.id) === task.status) continue;
      seen.set(task.id, task.status);
      print(`  ${task.name}: ${task.status}`);
    }
    if (row && isFinal(row.status)) {
      for (const result of row.results) print(`  result ${result.name} = ${JSON.stringify(result.value)}`);
      return print(`run ${run.id} ended: ${row.status}${row.statusMessage ? ` (${row.statusMessage})` : ""}`);
    }
    await changed;
  }
  print(`run ${run.id} is still running`);
}

/** The next wake for the run, or after a moment, because a wake may be lost. */
function nextChange(bus: EventBus, runId: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, 500);
    const unsubscribe = bus.onWake(channels.runs, (ids) => {
      if (!ids || ids.has(runId)) done();
    });
    signal.addEventListener("abort", done);
  });
}
