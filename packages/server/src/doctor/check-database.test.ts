import { expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "../../test/kit/database.ts";
import { checkClocks, checkDatabase } from "./check-database.ts";

test.each([
  [1_500, "ok", "1.5 s ahead of"],
  [-1_500, "ok", "1.5 s behind"],
  [3_000, "warning", "3.0 s ahead of"],
  [-31_000, "problem", "31.0 s behind"],
])("a clock that differs by %d ms is %s", (difference, status, words) => {
  const check = checkClocks(1_700_000_000_000 + difference, 1_700_000_000_000);
  expect(check).toMatchObject({ status, message: expect.stringContaining(words) });
  expect(check.remedy === undefined).toBe(status === "ok");
});

test("a database of this version has the right schema, and one that a newer program has changed is named", async () => {
  const { sql } = await testDatabase();
  expect(await checkDatabase(sql)).toMatchObject([
    { name: "schema", status: "ok" },
    { name: "database size", status: "ok", message: expect.stringMatching(/^\d+ MB/) },
    { name: "clock" },
  ]);
  await sql`insert into schema_migration (version, name, is_breaking) values (9999, 'later', false)`;
  const [schema] = await checkDatabase(sql);
  expect(schema).toMatchObject({ status: "warning", message: expect.stringContaining("9999"), remedy: expect.stringContaining("newer") });
});

test("a database without tables is fine: the start makes them", async () => {
  const { sql } = await emptyDatabase();
  const message = expect.stringMatching(/^the database is empty; the next start brings it to version \d+$/);
  expect(await checkDatabase(sql)).toMatchObject([{ name: "schema", status: "ok", message }, { name: "clock" }]);
});
