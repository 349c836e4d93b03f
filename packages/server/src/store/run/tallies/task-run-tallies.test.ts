import { beforeEach, describe, expect, test } from "vitest";
import { rowsRead, type SentStatement } from "../../../../test/kit/data/rows-read.ts";
import { moveTime, setTestTime, testDatabase } from "../../../../test/kit/database.ts";
import { createFactories } from "../../../../test/kit/factories.ts";
import { transaction } from "../../database/transaction.ts";
import { purgeRuns } from "../../workflow/workflow-deletion.ts";
import { queryTaskRuns } from "../task-runs.ts";
import { forgetTaskRunTallies, updateTaskRunTallies } from "./task-run-tallies.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
const minuteMs = 60_000;
const many = 6_000;

beforeEach(async () => {
  await sql`delete from task_run`;
  await sql`delete from task_run_tally`;
  await setTestTime(sql, 0);
});

/** Like `new_id()`, by the clock of the test. */
const newId = () => sql`overlay(id_floor(db_now())::text placing right(gen_random_uuid()::text, 12) from 25)::uuid`;

interface TestRun {
  teamId: string;
  id: string;
  workflowId: string;
}

async function addRun(taskRuns: number, ofTeam?: string): Promise<TestRun> {
  const teamId = ofTeam ?? (await make.team()).id;
  const [workflow] = await sql<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version)
    values (${teamId}, 'w' || new_id(), 'W', '{}', 1) returning id`;
  const workflowId = workflow!.id;
  const [run] = await sql<{ id: string }[]>`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count)
    values (${newId()}, ${teamId}, ${workflowId}, new_id(), 1, '{}', 'ready', 'pending', 'manual', '{}', 2) returning id`;
  const made = { teamId, id: run!.id, workflowId };
  await addTaskRuns(made, taskRuns);
  return made;
}

const addTaskRuns = ({ teamId, id }: TestRun, count: number) => sql`
  insert into task_run (id, team_id, run_id, node, item, name, type, status, phase)
  select ${newId()}, ${teamId}, ${id}, 1, n, 'each[' || n || ']', 'sleep', 'notstarted', 'pending' from generate_series(1, ${count}::int) n`;

const total = async (teamId: string) => (await queryTaskRuns(sql, teamId, {}, { order: "DESC", limit: 10, offset: 0 })).total;
const kept = (teamId: string) => sql`select total::int from task_run_tally where team_id = ${teamId} and until > 'epoch'`;

/** The number of many older task runs is stored. */
async function addTallied(): Promise<TestRun> {
  const run = await addRun(many);
  await moveTime(sql, 11 * minuteMs);
  expect(await updateTaskRunTallies(sql)).toBe(1);
  expect(await kept(run.teamId)).toEqual([{ total: many }]);
  return run;
}

describe("the number of a team's task runs is true", () => {
  test("while they are added, and when two processes keep it at once", async () => {
    const run = await addTallied();
    await addTaskRuns(run, 10);
    expect(await total(run.teamId)).toBe(many + 10);
    await addTaskRuns(run, many);
    await moveTime(sql, 11 * minuteMs);
    await Promise.all([updateTaskRunTallies(sql), updateTaskRunTallies(sql)]);
    expect(await kept(run.teamId)).toEqual([{ total: 2 * many + 10 }]);
    expect(await total(run.teamId)).toBe(2 * many + 10);
  });

  test("when a deleted workflow hides its own, and when they are purged, old ones and late ones", async () => {
    const run = await addTallied();
    const other = await addRun(5, run.teamId);
    await sql`update workflow set deleted_at = db_now() where id = ${run.workflowId}`;
    await addTaskRuns(run, 7);
    expect(await total(run.teamId)).toBe(5);
    await transaction(sql, (tx) => purgeRuns(tx, run.teamId, [run.id]));
    expect(await kept(run.teamId)).toEqual([{ total: 0 }]);
    expect(await total(run.teamId)).toBe(5);
    await transaction(sql, (tx) => purgeRuns(tx, run.teamId, [other.id]));
    expect(await total(run.teamId)).toBe(0);
  });

  test("when a purge of a team of which nothing is kept meets the first count", async () => {
    const run = await addRun(many);
    const other = await addRun(3, run.teamId);
    await moveTime(sql, 11 * minuteMs);
    await Promise.all([transaction(sql, (tx) => purgeRuns(tx, run.teamId, [other.id])), updateTaskRunTallies(sql)]);
    expect(await total(run.teamId)).toBe(many);
  });

  test("when months of history are gone: nothing is kept, until all is counted again", async () => {
    const { teamId } = await addTallied();
    await sql`delete from task_run where team_id = ${teamId} and item <= 500`;
    await forgetTaskRunTallies(sql);
    expect(await kept(teamId)).toEqual([]);
    expect(await total(teamId)).toBe(many - 500);
    expect(await updateTaskRunTallies(sql)).toBe(1);
    expect(await kept(teamId)).toEqual([{ total: many - 500 }]);
  });
});

test("of a team with few task runs nothing is kept, and only what is older than any transaction is", async () => {
  const few = await addRun(100);
  const run = await addRun(many);
  await moveTime(sql, 9 * minuteMs);
  expect(await updateTaskRunTallies(sql)).toBe(0);
  await moveTime(sql, 2 * minuteMs);
  expect(await updateTaskRunTallies(sql)).toBe(1);
  expect(await updateTaskRunTallies(sql)).toBe(0);
  expect(await kept(few.teamId)).toEqual([]);
  expect(await total(run.teamId)).toBe(many);
});

test("a page reads the later ones, and not those whose number is kept", async () => {
  const run = await addTallied();
  await addTaskRuns(run, 20);
  await sql.unsafe("vacuum (analyze) task_run");
  seen = [];
  expect(await total(run.teamId)).toBe(many + 20);
  const statements = seen.filter(({ text }) => text.includes("task_run"));
  expect(await rowsRead(sql, statements)).toBeLessThan(500);
});
