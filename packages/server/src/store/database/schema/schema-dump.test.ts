import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../../../test/kit/database.ts";
import { dumpSchema } from "./schema-dump.ts";
import { migrationsFolder } from "./schema-files.ts";

const { sql } = await testDatabase();

test("migrations/schema.sql is what the migrations make (npm run generate)", async () => {
  expect(await dumpSchema(sql)).toBe(readFileSync(join(migrationsFolder, "schema.sql"), "utf8"));
});
