import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase } from "../../kit/database.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** Real processes of the service, each with its own data folder, on one database: the shipped sample whose tasks share a workspace. */
interface Run {
  id: string;
  status: string;
}

const runsOfSample = 36;
const team = "/team/getting-started";

test("36 runs of the shipped sample succeed on two processes with data folders of their own, also while one of them restarts", {
  timeout: 300_000,
}, async () => {
  const { url, sql } = await emptyDatabase();
  const start = async (folder: string) => {
    const service = await startService(folder, {
      DATABASE_URL: url,
      MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_ADMIN_TOKEN: "an-administrators-token-of-enough-length",
      MILLRACE_ALLOW_UNSANDBOXED: "true",
      MILLRACE_WORKER_SLOTS: "4",
    });
    onTestFinished(async () => void (await service.stop()));
    return service;
  };
  const folders = ["one", "two"].map((name) => {
    const folder = mkdtempSync(join(tmpdir(), `workspaces-${name}-`));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  });
  const first = await start(folders[0] as string);
  const second = await start(folders[1] as string);
  const submit = (service: StartedService) => service.api<Run>("POST", `${team}/workflow/word-count/submit`, {});
  const allSucceed = async (runs: readonly Run[]) => {
    const open = new Set(runs.map(({ id }) => id));
    const look = async () => {
      const seen = await Promise.all([...open].map((id) => second.api<Run>("GET", `${team}/workflowrun/${id}`)));
      for (const { id, status } of seen) if (status === "succeeded") open.delete(id);
      expect(seen.filter(({ status }) => ["failed", "invalid", "timedout", "cancelled"].includes(status))).toEqual([]);
      return open.size === 0;
    };
    await until(look, "every run succeeds", 120_000);
  };

  const runs = await Promise.all(Array.from({ length: runsOfSample }, (_, index) => submit(index % 2 === 0 ? first : second)));
  await allSucceed(runs);
  const [used] = await sql<{ places: number }[]>`
    select count(distinct place)::int as places from task_run where run_id = any(${runs.map(({ id }) => id)}) and place <> ''`;
  expect(used?.places).toBe(2);

  const more = await Promise.all(Array.from({ length: 10 }, () => submit(second)));
  expect(await first.stop()).toBe(0);
  await start(folders[0] as string);
  await allSucceed(more);
  const [known] = await sql<{ places: number }[]>`select count(*)::int as places from place`;
  expect(known?.places, "a restarted worker has the place that it had").toBe(2);
});
