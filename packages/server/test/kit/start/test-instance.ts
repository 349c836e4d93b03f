import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { afterAll } from "vitest";
import { type Instance, startInstance } from "../../../src/app.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { createWorkflow } from "../../../src/domain/workflow/create-workflow.ts";
import { loadSaveContext } from "../../../src/domain/workflow/save-context.ts";
import { showFirstRun } from "../../../src/services/show-first-run.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { listTaskRuns, type TaskRunRow } from "../../../src/store/run/task-runs.ts";
import { testDatabase } from "../database.ts";
import { randomName } from "../factories.ts";

export interface TestInstance {
  instance: Instance;
  sql: Database;
  dataDir: string;
}

/**
 * The complete service in this process, on its own database and data folder, with the sandbox of this machine. Both are removed after the
 * test file.
 * @param environment overrides the defaults: no sample team, and unsandboxed where no sandbox works
 */
export async function testInstance(environment: Record<string, string> = {}): Promise<TestInstance> {
  const { sql, url } = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "millrace-instance-"));
  // The same permissions as the service sets when it runs as root: the user of the steps must pass through to the workspaces.
  chmodSync(dataDir, 0o711);
  const settings = {
    DATABASE_URL: url,
    MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    MILLRACE_DATA_DIR: dataDir,
    MILLRACE_ALLOW_UNSANDBOXED: "true",
    MILLRACE_ALLOW_HOST_NETWORK: "true",
    MILLRACE_SEED: "false",
    ...environment,
  };
  const instance = await startInstance(readConfig(settings), createLog("silent"));
  afterAll(async () => {
    await instance.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { instance, sql, dataDir };
}

/** Saves a workflow, runs it to its end, and returns its task runs. */
export async function runToEnd(
  { instance, sql }: TestInstance,
  teamId: string,
  workflow: Omit<WorkflowInput, "name">,
): Promise<TaskRunRow[]> {
  const { store, runs } = instance;
  const name = randomName("workflow");
  const context = await loadSaveContext(sql, teamId, "test", store.keyring, runs);
  await sql.begin((tx) => createWorkflow(tx, context, { name, ...workflow }));
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  await showFirstRun({ sql, runs, bus: store.wakes, teamId, workflow: name, print, signal: new AbortController().signal });
  const runId = /^run (\S+) /.exec(printed[0] as string)?.[1] as string;
  return listTaskRuns(sql, teamId, runId);
}
