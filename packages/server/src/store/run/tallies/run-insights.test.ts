import { beforeAll, describe, expect, test } from "vitest";
import { plansOf } from "../../../../test/kit/data/explain.ts";
import { testDatabase } from "../../../../test/kit/database.ts";
import { createFactories } from "../../../../test/kit/factories.ts";
import { expectElapsed } from "../../../../test/kit/processor-ms.ts";
import { readInsights } from "../../../domain/run/insights/read-insights.ts";
import { allowLongStatements, transaction } from "../../database/transaction.ts";
import { updateInsightTallies } from "./insight-tallies.ts";
import { findInsightBounds, listInsightRuns, readPackedRuns } from "./run-insights.ts";

const { sql } = await testDatabase();
const make = createFactories(sql);
const runs = 100_000;
let teamId: string;

/** Twenty seconds apart, so that they are in the partitions of two months, with documents of a common size. */
beforeAll(async () => {
  teamId = (await make.team()).id;
  for (const team of [teamId, (await make.team()).id]) {
    await transaction(sql, async (tx) => {
      await allowLongStatements(tx);
      await tx`
        insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, params,
          task_count, created_at, started_at, ended_at)
        select overlay(id_floor(made.at)::text placing substr(md5(${team} || i), 1, 12) from 25)::uuid, ${team},
          overlay(${team}::text placing lpad((i % 50)::text, 2, '0') from 35)::uuid, new_id(), 1, '{}',
          case when i % 10 = 0 then 'failed' else 'succeeded' end, 'completed', 'manual', json_build_object('team', repeat('x', 400)),
          '[{"name": "city", "value": "Oslo"}]', 4, made.at, made.at + i % 7 * interval '1 second',
          made.at + i % 7 * interval '1 second' + i::bigint * 7919 % 100000 * interval '1 ms'
        from generate_series(1, ${team === teamId ? runs : runs / 10}::int) as i
          cross join lateral (select (select db_now()) - i * interval '20 seconds' as at) as made`;
    });
  }
  await updateInsightTallies(sql);
  await sql`analyze run, insight_tally`;
}, 300_000);

const scope = () => ({ teamId, from: new Date(Date.now() - 30 * 86_400_000), to: undefined, workflows: undefined, statuses: undefined });
const request = () => ({ ...scope(), timeZone: "Europe/Oslo", runLimit: 1000 });

describe("of a team with a hundred thousand runs", () => {
  test("insights take a fraction of a second", async () => {
    const took: number[] = [];
    let total = 0;
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      const { figures } = await transaction(sql, (tx) => readInsights(tx, request()), { access: "read" });
      took.push(Math.round(performance.now() - start));
      total = figures.all.total;
    }
    console.log(`insights of ${runs} runs: ${took.join(", ")} ms`);
    expect(total).toBe(runs);
    expectElapsed(Math.min(...took), 1000);
  });

  test("a few of them are found by the index, in the partitions of their time only", async () => {
    const day = { ...scope(), from: new Date(Date.now() - 3_600_000) };
    const plans = await plansOf(sql, async (db) => {
      await findInsightBounds(db, day);
      await readPackedRuns(db, day, undefined);
      await listInsightRuns(db, day, 10);
      await readPackedRuns(db, { ...day, teamId: undefined }, undefined);
    });
    expect(plans).toHaveLength(4);
    for (const plan of plans) {
      expect(plan).toMatch(/Index (?:Only )?Scan.* on run_\d{6}/);
      expect(plan).not.toMatch(/Seq Scan on run_(?:default|\d{6}) .*rows=\d{3,} /);
    }
  });
});
