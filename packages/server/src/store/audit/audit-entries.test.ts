import { beforeAll, describe, expect, test } from "vitest";
import { plansOf } from "../../../test/kit/data/explain.ts";
import { testDatabase } from "../../../test/kit/database.ts";
import { type AuditFilter, countAuditEntries, listAuditEntries } from "./audit-entries.ts";

const { sql } = await testDatabase();
const teamId = "01900000-0000-7000-8000-000000000001";

/** A hundred thousand records of fifty teams and two hundred principals, nine of ten of them submissions. */
beforeAll(async () => {
  await sql`
    insert into audit (team_id, principal_kind, principal_id, principal_name, action, object_kind, object_id, object_name, request_id)
    select overlay(${teamId}::text placing lpad((i % 50 + 1)::text, 2, '0') from 35)::uuid, 'user', 'user:' || i % 200, 'User ' || i % 200,
      'workflow/action', case when i % 10 = 0 then 'workflow' else 'workflowrun' end, 'object-' || i, 'nightly-' || i % 1000, 'request-' || i
    from generate_series(1, 100000) as i`;
  await sql`analyze audit`;
});

describe("among a hundred thousand records", () => {
  test.each([
    ["the team", { teamId }, /audit_\d{6}_team_id_id_idx/],
    ["the actor", { teamId: undefined, actors: { principalIds: ["user:7"], names: [] } }, /audit_\d{6}_principal_id_id_idx/],
    ["the id of the object", { teamId: undefined, objects: ["object-7"] }, /audit_\d{6}_object_id_id_idx/],
    ["the name of the object", { teamId, objects: ["nightly-50"] }, /audit_\d{6}_lower_id_idx/],
  ] as [string, AuditFilter, RegExp][])("those of %s are found by an index", async (_, filter, index) => {
    const page = { order: "DESC", limit: 10, offset: 0, maxBytes: 1 } as const;
    const started = performance.now();
    const rows = await listAuditEntries(sql, filter, page);
    const total = await countAuditEntries(sql, filter);
    console.log(`${total} records: ${Math.round(performance.now() - started)} ms`);
    expect([rows.length, total]).toEqual([Math.min(10, total), total]);
    expect(total).toBeGreaterThan(0);
    const [counting, listing] = await plansOf(sql, async (db) => {
      await countAuditEntries(db, filter);
      await listAuditEntries(db, filter, page);
    });
    expect(counting).toMatch(index);
    expect(`${counting}\n${listing}`).not.toMatch(/Seq Scan on audit_\d{6} .*rows=\d{3,} /);
  });

  test("a range of time reads its partitions only", async () => {
    const range = { teamId, from: new Date("2001-01-01"), to: new Date("2001-02-01") };
    expect(await countAuditEntries(sql, range)).toBe(0);
    const [plan] = await plansOf(sql, (db) => countAuditEntries(db, range));
    expect(plan).toContain("audit_default");
    expect(plan).not.toMatch(/audit_\d{6}/);
  });
});
