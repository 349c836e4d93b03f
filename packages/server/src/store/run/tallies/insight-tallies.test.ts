import { finalStatuses } from "@millrace/contract/status.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { readDirectInsights } from "../../../../test/kit/data/direct-insights.ts";
import { rowsRead, type SentStatement } from "../../../../test/kit/data/rows-read.ts";
import { moveTime, setTestTime, testDatabase } from "../../../../test/kit/database.ts";
import { createFactories } from "../../../../test/kit/factories.ts";
import { type InsightRequest, readInsights } from "../../../domain/run/insights/read-insights.ts";
import { transaction } from "../../database/transaction.ts";
import { dropPartitions } from "../../history/history-partitions.ts";
import { purgeRuns } from "../../workflow/workflow-deletion.ts";
import { updateInsightTallies } from "./insight-tallies.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
const minuteMs = 60_000;
const dayMs = 86_400_000;
const small = { most: 7, enough: 4, enoughOld: 2 };

interface TestTeam {
  id: string;
  workflowIds: string[];
}

const names = ["one", "two", "three"];

async function teamWithWorkflows(): Promise<TestTeam> {
  const { id } = await make.team();
  const rows = await sql<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version)
    select ${id}, name, name, '{}', 1 from unnest(${names}::text[]) as name returning id`;
  return { id, workflowIds: rows.map((row) => row.id) };
}

/** The tests are in the days before now, and each begins at the first of them. */
const baseMs = Date.now() - 6 * dayMs;
const teams = [await teamWithWorkflows(), await teamWithWorkflows()];

beforeEach(async () => {
  await sql`delete from insight_tally`;
  await sql`delete from run`;
  await setTestTime(sql, baseMs - Date.now());
});

interface MadeRun {
  team: TestTeam;
  workflow: number;
  status: string;
  durationMs: number;
  queuedMs: number;
  /** When it ends, from now. */
  inMs?: number;
}

/** It ends now, or is still open. */
async function makeRun({ team, workflow, status, durationMs, queuedMs, inMs = 0 }: MadeRun): Promise<string> {
  const isOver = (finalStatuses as readonly string[]).includes(status);
  const phase = isOver ? "completed" : status === "running" ? "running" : "queued";
  const [row] = await sql<{ id: string }[]>`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    select overlay(id_floor(created_at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, ${team.id}, ${team.workflowIds[workflow]!},
      new_id(), 1, '{}', ${status}, ${phase}, 'manual', '{}', 2, created_at,
      case when ${phase} <> 'queued' then created_at + ${queuedMs} * interval '1 ms' end, case when ${phase} = 'completed' then ended_at end
    from (select at as ended_at, at - ${durationMs + queuedMs} * interval '1 ms' as created_at
          from (select db_now() + ${inMs} * interval '1 ms' as at) as moment) as times returning id`;
  return row!.id;
}

const endRun = (id: string, status: string) => sql`
  update run set phase = 'completed', status = ${status}, started_at = case when ${status} = 'cancelled' then started_at else coalesce(started_at, db_now()) end,
    ended_at = db_now() where id = ${id} and ended_at is null`;

const remove = (team: TestTeam, ids: readonly string[]) =>
  transaction(sql, async (tx) => {
    const locked = await tx<{ id: string }[]>`
      select id from run where team_id = ${team.id} and id = any(${[...ids]}::uuid[]) and ended_at is not null for update`;
    await purgeRuns(
      tx,
      team.id,
      locked.map(({ id }) => id),
    );
  });

const everything: InsightRequest = {
  ...{ teamId: undefined, from: new Date(baseMs - 40 * dayMs), to: undefined, timeZone: "UTC" },
  ...{ workflows: undefined, statuses: undefined, runLimit: 0 },
};

/** As the API shows it, and as one query over all runs computes it, at one moment. */
async function expectExact(request: InsightRequest): Promise<number> {
  const { figures, direct } = await transaction(
    sql,
    async (tx) => {
      const { figures, days } = await readInsights(tx, request);
      const { teamId, from, to, workflows, statuses } = request;
      const starts = days.map(({ startsAt }) => startsAt);
      return { figures, direct: await readDirectInsights(tx, { teamId, from: from!, to, workflows, statuses }, starts) };
    },
    { access: "read" },
  );
  expect({ request, ...figures }).toEqual({ request, ...direct });
  return figures.all.total;
}

const spans = (team: TestTeam) => sql<{ runs: number }[]>`
  select runs from insight_tally where team_id = ${team.id} order by begins_at`;

async function makeRuns(team: TestTeam, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push(await makeRun({ team, workflow: n % 3, status: "succeeded", durationMs: (n * 7919) % 60_000, queuedMs: n * 10, inMs: n }));
  return ids;
}

test("runs that end after the clock has stepped back are counted", async () => {
  const [team] = teams as [TestTeam];
  await makeRuns(team, 6);
  await moveTime(sql, 60 * minuteMs);
  await makeRuns(team, 6);
  await moveTime(sql, 60 * minuteMs);
  expect(await updateInsightTallies(sql, undefined, small)).toBeGreaterThan(0);
  await moveTime(sql, -90 * minuteMs);
  await makeRuns(team, 3);
  await moveTime(sql, 2 * minuteMs);
  await updateInsightTallies(sql, undefined, small);
  expect(await expectExact(everything)).toBe(15);
});

describe("insights from packed runs and the others are those of all runs", () => {
  const run = fc.record({
    kind: fc.constant("run" as const),
    team: fc.nat(1),
    workflow: fc.nat(2),
    status: fc.constantFrom(...finalStatuses.filter((status) => status !== "skipped"), "running", "ready", "succeeded", "succeeded"),
    durationMs: fc.oneof(fc.nat(9), fc.nat(3 * dayMs)),
    queuedMs: fc.oneof(fc.constant(0), fc.nat(3 * 3_600_000)),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: run },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.oneof(fc.nat(20), fc.nat(500)) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("pack" as const),
        most: fc.integer({ min: 1, max: 9 }),
        enough: fc.integer({ min: 1, max: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("end" as const), status: fc.constantFrom("succeeded", "cancelled") }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), places: fc.array(fc.nat(40), { maxLength: 3 }) }) },
  );
  const request = fc.record({
    team: fc.option(fc.nat(1), { nil: undefined }),
    fromMs: fc.nat(8 * dayMs).map((ms) => baseMs - 4 * dayMs + ms),
    toMs: fc.option(
      fc.nat(8 * dayMs).map((ms) => baseMs - 3 * dayMs + ms),
      { nil: undefined },
    ),
    timeZone: fc.constantFrom("UTC", "Europe/Oslo", "Asia/Kathmandu", "America/St_Johns"),
    workflows: fc.option(fc.subarray([...names, "none"], { minLength: 1 }), { nil: undefined }),
    statuses: fc.option(fc.subarray(["succeeded", "failed", "running", "cancelled"], { minLength: 1 }), { nil: undefined }),
  });

  test("for random histories, ranges and filters", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.array(request, { minLength: 3, maxLength: 3 }),
        async (steps, requests) => {
          await sql`delete from insight_tally`;
          await sql`delete from run`;
          await setTestTime(sql, baseMs - Date.now());
          const made: { team: TestTeam; id: string }[] = [];
          for (const one of steps) {
            if (one.kind === "run") made.push({ team: teams[one.team]!, id: await makeRun({ ...one, team: teams[one.team]! }) });
            if (one.kind === "wait") await moveTime(sql, one.minutes * minuteMs);
            if (one.kind === "pack") await updateInsightTallies(sql, undefined, { most: one.most, enough: one.enough, enoughOld: 1 });
            if (one.kind === "end") for (const { id } of made) await endRun(id, one.status);
            if (one.kind === "remove") for (const { team, id } of made.filter((_, n) => one.places.includes(n))) await remove(team, [id]);
          }
          await expectExact(everything);
          for (const { team, fromMs, toMs, ...rest } of requests) {
            const to = toMs === undefined ? undefined : new Date(toMs);
            await expectExact({
              ...rest,
              runLimit: 0,
              teamId: team === undefined ? undefined : teams[team]!.id,
              from: new Date(fromMs),
              to,
            });
          }
        },
      ),
      { numRuns: Number(process.env["MILLRACE_FUZZ_RUNS"] ?? 40) },
    );
  });

  test("while two processes pack at once, and after one of them was stopped between two spans", async () => {
    await makeRuns(teams[0]!, 40);
    await moveTime(sql, 6 * minuteMs);
    const stopped = new AbortController();
    const [first] = await Promise.all([
      updateInsightTallies(sql, stopped.signal, small),
      updateInsightTallies(sql, undefined, small),
      expectExact(everything).then(() => stopped.abort()),
    ]);
    expect(first).toBeLessThan(7);
    await updateInsightTallies(sql, undefined, small);
    expect((await spans(teams[0]!)).reduce((sum, { runs }) => sum + runs, 0)).toBe(40);
    expect(await expectExact(everything)).toBe(40);
  });

  test("when more runs than a span has ended in one millisecond", async () => {
    await sql`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count, created_at, ended_at)
      select ${teams[0]!.id}, ${teams[0]!.workflowIds[0]!}, new_id(), 1, '{}', 'cancelled', 'completed', 'manual', '{}', 2, db_now(), at
      from (select db_now() as at) as moment, generate_series(1, 20)`;
    await moveTime(sql, 1000);
    await makeRuns(teams[0]!, 8);
    await moveTime(sql, 6 * minuteMs);
    await updateInsightTallies(sql, undefined, small);
    expect((await spans(teams[0]!)).map(({ runs }) => runs)).toEqual([20, 7]);
    expect(await expectExact({ ...everything, from: new Date(0) })).toBe(28);
  });
});

describe("runs that are removed", () => {
  test("take the span that has them with them, until it is packed again", async () => {
    const ids = await makeRuns(teams[0]!, 21);
    await moveTime(sql, 6 * minuteMs);
    await updateInsightTallies(sql, undefined, small);
    expect((await spans(teams[0]!)).map(({ runs }) => runs)).toEqual([7, 7, 7]);
    await remove(teams[0]!, [ids[8]!]);
    expect((await spans(teams[0]!)).map(({ runs }) => runs)).toEqual([7, 7]);
    expect(await expectExact(everything)).toBe(20);
    expect(await updateInsightTallies(sql, undefined, small)).toBe(1);
    expect((await spans(teams[0]!)).map(({ runs }) => runs)).toEqual([7, 6, 7]);
    expect(await expectExact(everything)).toBe(20);
  });

  test("are not packed while they are removed", async () => {
    const ids = await makeRuns(teams[0]!, 14);
    await moveTime(sql, 6 * minuteMs);
    await transaction(sql, async (tx) => {
      await purgeRuns(tx, teams[0]!.id, [ids[0]!]);
      expect(await updateInsightTallies(sql, undefined, small)).toBe(0);
    });
    expect(await updateInsightTallies(sql, undefined, small)).toBe(2);
    expect(await expectExact(everything)).toBe(13);
  });

  test("with the partition of their month are not counted any more", async () => {
    const [bounds] = await sql<{ from: string; to: string }[]>`
      select id_floor('1999-01-01Z') as "from", id_floor('1999-02-01Z') as "to"`;
    await sql.unsafe(`create table run_199901 partition of run for values from ('${bounds!.from}') to ('${bounds!.to}')`);
    await makeRuns(teams[0]!, 14);
    await sql`
      insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count, created_at, ended_at)
      values (id_floor('1999-01-15Z'), ${teams[0]!.id}, ${teams[0]!.workflowIds[0]!}, new_id(), 1, '{}', 'cancelled', 'completed', 'manual', '{}', 2, '1999-01-15Z', db_now())`;
    await moveTime(sql, 6 * minuteMs);
    await updateInsightTallies(sql, undefined, small);
    const all = { ...everything, from: new Date(0) };
    expect(await expectExact(all)).toBe(15);
    const month = { month: "199901", tables: ["run"], beginsAt: new Date(0), endsAt: new Date(0), ...bounds! };
    expect(await dropPartitions(sql, ["run"], month)).toBe(true);
    expect(await expectExact(all)).toBe(14);
  });
});

test("a run is packed when no transaction that ends it can be under way any more, and only together with others", async () => {
  await makeRuns(teams[0]!, 4);
  await makeRuns(teams[1]!, 3);
  await moveTime(sql, 4 * minuteMs);
  expect(await updateInsightTallies(sql, undefined, small)).toBe(0);
  await moveTime(sql, 2 * minuteMs);
  expect(await updateInsightTallies(sql, undefined, small)).toBe(1);
  expect([await spans(teams[0]!), await spans(teams[1]!)]).toEqual([[{ runs: 4 }], []]);
  await moveTime(sql, dayMs);
  expect(await updateInsightTallies(sql, undefined, small)).toBe(1);
  expect(await spans(teams[1]!)).toEqual([{ runs: 3 }]);
});

test("insights read few rows, however many runs are over", { timeout: 120_000 }, async () => {
  await sql`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    select overlay(id_floor(at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, ${teams[0]!.id}, ${teams[0]!.workflowIds[0]!},
      new_id(), 1, '{}', 'succeeded', 'completed', 'manual', '{}', 2, at, at, at + n % 1000 * interval '1 ms'
    from generate_series(1, 30000) as n, lateral (select db_now() - n * interval '10 s' as at) as times`;
  await updateInsightTallies(sql);
  await makeRuns(teams[0]!, 10);
  await sql.unsafe("vacuum (analyze) run, insight_tally");
  for (const teamId of [teams[0]!.id, undefined]) {
    seen = [];
    expect(await transaction(sql, async (tx) => (await readInsights(tx, { ...everything, teamId })).figures.all.total)).toBe(30_010);
    expect(
      await rowsRead(
        sql,
        seen.filter(({ text }) => text.includes("insight_tally")),
      ),
    ).toBeLessThan(200);
  }
});
