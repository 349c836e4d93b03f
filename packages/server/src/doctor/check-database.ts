import type { Database } from "../store/database/database.ts";
import { readDatabaseTime, readSchemaVersion } from "../store/database/schema/migrate.ts";
import { newestVersion, readSchema } from "../store/database/schema/schema-files.ts";
import { readDatabaseFigures } from "../store/history/storage-figures.ts";
import type { Check } from "./check.ts";

const noticeableMs = 2_000;
const harmfulMs = 30_000;

/** What a database that can be reached is like. It may be empty. */
export async function checkDatabase(sql: Database): Promise<Check[]> {
  const stored = await readSchemaVersion(sql);
  const size = stored === 0 ? [] : [await readSize(sql)];
  return [await checkSchema(stored), ...size, await checkClock(sql)];
}

async function checkSchema(stored: number): Promise<Check> {
  const name = "schema";
  const own = newestVersion(await readSchema());
  if (stored > own) {
    const message = `the database is at version ${stored}, and this program knows ${own}`;
    return { name, status: "warning", message, remedy: "Use the newer Millrace that has changed the database" };
  }
  if (stored === own) return { name, status: "ok", message: `version ${own}` };
  const found = stored === 0 ? "the database is empty" : `the database is at version ${stored}`;
  return { name, status: "ok", message: `${found}; the next start brings it to version ${own}` };
}

async function readSize(sql: Database): Promise<Check> {
  const { databaseBytes, kinds } = await readDatabaseFigures(sql);
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const largest = [...kinds].sort((one, other) => other.bytes - one.bytes)[0]!;
  const part = largest.kind === "other" ? "" : `, most of it ${words[largest.kind]} (${inMegabytes(largest.bytes)})`;
  return { name: "database size", status: "ok", message: `${inMegabytes(databaseBytes)}${part}` };
}

const words = { runs: "runs", taskRuns: "task runs", logs: "logs", events: "events", audit: "audit records" } as const;

/** Leases and schedules go by the database's clock, sessions in logs by this one. */
async function checkClock(sql: Database): Promise<Check> {
  const startedAt = Date.now();
  const databaseTime = await readDatabaseTime(sql);
  return checkClocks((startedAt + Date.now()) / 2, databaseTime);
}

/** Both in milliseconds since 1970. */
export function checkClocks(own: number, database: number): Check {
  const difference = own - database;
  const seconds = (Math.abs(difference) / 1000).toFixed(1);
  const message = `the clock of this machine is ${seconds} s ${difference < 0 ? "behind" : "ahead of"} the database's`;
  const status = Math.abs(difference) > harmfulMs ? "problem" : Math.abs(difference) > noticeableMs ? "warning" : "ok";
  const remedy = "Synchronize the clocks of both machines, for example with chrony or systemd-timesyncd";
  return { name: "clock", status, message, ...(status !== "ok" && { remedy }) };
}
