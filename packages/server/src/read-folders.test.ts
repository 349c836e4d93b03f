import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config/read-config.ts";
import { createFolderReader } from "./read-folders.ts";

const folder = mkdtempSync(join(tmpdir(), "millrace-folders-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("folders of this machine are named with their size and the room on their disk, those that are not there and buckets are not", async () => {
  const dataDir = join(folder, "data");
  mkdirSync(join(dataDir, "workspaces/team"), { recursive: true });
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "workspaces/team/file"), Buffer.alloc(100_000));
  const store = { MILLRACE_LOG_STORE: "s3://logs", MILLRACE_WORKSPACE_STORE: join(folder, "absent") };
  const folders = await createFolderReader(readConfig({ MILLRACE_DATA_DIR: dataDir, ...store }))();
  expect(folders).toMatchObject([
    { kind: "database", path: join(dataDir, "postgres"), bytes: null },
    { kind: "workspaces", path: join(dataDir, "workspaces"), isComplete: true },
  ]);
  expect(folders[1]!.bytes).toBeGreaterThanOrEqual(100_000);
  for (const { freeBytes, totalBytes } of folders) expect(freeBytes).toBeLessThanOrEqual(totalBytes);
});

test("a folder with very many files is counted in part, and says so", async () => {
  const logs = join(folder, "logs");
  mkdirSync(logs);
  for (let count = 0; count < 5_100; count++) writeFileSync(join(logs, `${count}`), "x");
  const key = { DATABASE_URL: "postgres://db.example/millrace", MILLRACE_ENCRYPTION_KEY: "k" };
  const config = readConfig({ MILLRACE_DATA_DIR: folder, MILLRACE_LOG_STORE: logs, MILLRACE_ROLES: "api", ...key });
  expect(await createFolderReader(config)()).toMatchObject([{ kind: "logStore", path: logs, isComplete: false }]);
});
