import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import type { Queryable } from "../database/database.ts";
import { listReadyNeeds } from "../external/waiting-claims.ts";
import { insertLogChunks } from "../log/log-chunks.ts";
import { checkWorkers, extendLease } from "../worker/workers.ts";
import { listJobRuns, listNodeValues } from "./job-inputs.ts";
import { findResults, listRunStatuses, lockRuns, lockVersions, readRunState } from "./run-states.ts";
import { findRun, findRunSecrets } from "./runs.ts";
import { findSubmissions } from "./submissions.ts";
import { findLogSource, findTaskRun, listAttempts, listLoggedTasks, listTaskRuns } from "./task-runs.ts";

const { sql } = await testDatabase({ maxConnections: 1 });

/** An id of this month, as all rows have. */
async function newId(): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select new_id() as id`;
  return row!.id;
}

const teamId = await newId();

/** What a run, a step of it, or the answer about it reads, once for each. */
const reads: Record<string, (db: Queryable, id: string) => Promise<unknown>> = {
  submission: (db, id) => findSubmissions(db, { teamId, ref: id, version: undefined }, 1),
  "run of an answer": (db, id) => findRun(db, teamId, id),
  "secrets of a run": (db, id) => findRunSecrets(db, teamId, id),
  "task runs of an answer": (db, id) => listTaskRuns(db, teamId, id),
  "task run": (db, id) => findTaskRun(db, teamId, id),
  attempts: (db, id) => listAttempts(db, teamId, [id]),
  "ends of runs that callers wait for": (db, id) => listRunStatuses(db, [{ teamId, id }]),
  "state of a run": (db, id) => readRunState(db, teamId, id),
  "results of steps": (db, id) => findResults(db, teamId, [id], 1000),
  "inputs of a step: its run": (db, id) => listJobRuns(db, [{ teamId, runId: id }]),
  "inputs of a step: steps before it": (db, id) => listNodeValues(db, [{ teamId, runId: id, node: 1 }]),
  "task of a log": (db, id) => findLogSource(db, teamId, id),
  "tasks of a log": (db, id) => listLoggedTasks(db, teamId, id, undefined, 10),
  "lines of a log": (db, id) =>
    insertLogChunks(db, [{ teamId, taskRunId: id, attempt: 1, seq: 1, firstLine: 1, lineCount: 1, rawBytes: 1, data: Buffer.from("a") }]),
  "claims that wait": (db) => listReadyNeeds(db, [{ teamId, need: "external/greet" }]),
  heartbeat: (db, id) => extendLease(db, id, 30, []),
  "look at all workers": (db) => checkWorkers(db),
};

/** A plan over the partitions takes several times what it takes to run it. PostgreSQL tries five plans for the values before it keeps one. */
async function plansOf(read: () => Promise<unknown>): Promise<string[]> {
  for (let time = 0; time < 8; time++) await read();
  const rows = await sql<{ statement: string }[]>`
    select statement from pg_prepared_statements where custom_plans > 5`;
  return rows.map(({ statement }) => statement);
}

test.each(Object.entries(reads))("%s: the plan is kept", async (_, read) => {
  expect(await plansOf(async () => read(sql, await newId()))).toEqual([]);
});

test("the lock of a run: the plans are kept", async () => {
  const key = { teamId, id: await newId() };
  expect(await plansOf(() => sql.begin((tx) => lockRuns(tx, [key])))).toEqual([]);
  expect(await plansOf(() => sql.begin((tx) => lockVersions(tx, [key])))).toEqual([]);
});
