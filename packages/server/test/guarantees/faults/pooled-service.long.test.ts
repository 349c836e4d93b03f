import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canPool, startPgBouncer, whyNotPooled } from "../../fakes/pgbouncer.ts";
import { emptyDatabase } from "../../kit/database.ts";
import { startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/**
 * The real process behind a real PgBouncer with its default settings, transaction pooling, and no setting of ours except the direct
 * address.
 */
if (!canPool) console.log(`skipped: ${whyNotPooled}`);

interface Run {
  id: string;
  status: string;
}

test.runIf(canPool)(
  "40 submits at the same time behind PgBouncer are all accepted, and every run succeeds",
  { timeout: 300_000 },
  async () => {
    const { address, url, sql } = await emptyDatabase();
    const pooler = await startPgBouncer(address);
    const folder = mkdtempSync(join(tmpdir(), "pooled-"));
    onTestFinished(async () => {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const service = await startService(folder, {
      DATABASE_URL: pooler.address.url,
      MILLRACE_DATABASE_DIRECT_URL: url,
      MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_ALLOW_UNSANDBOXED: "true",
    });
    onTestFinished(async () => void (await service.stop()));
    const team = "/team/getting-started";
    const node = (name: string, after: string[]) => ({
      name,
      type: "setwfproperty",
      taskRef: "set-result-parameter",
      dependencies: after.map((taskRef) => ({ taskRef })),
      params: [
        { name: "output", value: name },
        { name: "value", value: `of ${name}` },
      ],
    });
    const start = { name: "start", type: "start" };
    const tasks = [start, node("one", ["start"]), node("two", ["one"])];
    await service.api("POST", `${team}/workflow`, { name: "pooled", tasks });
    const submit = (workflow: string) => service.api<Run>("POST", `${team}/workflow/${workflow}/submit`, {});
    const runs = await Promise.all(Array.from({ length: 40 }, (_, index) => submit(index % 4 === 0 ? "hello-chain" : "pooled")));
    const open = new Set(runs.map(({ id }) => id));
    await until(
      async () => {
        const seen = await Promise.all([...open].map((id) => service.api<Run>("GET", `${team}/workflowrun/${id}`)));
        for (const { id, status } of seen) if (status === "succeeded") open.delete(id);
        expect(seen.filter(({ status }) => ["failed", "invalid", "timedout", "cancelled"].includes(status))).toEqual([]);
        return open.size === 0;
      },
      "every run succeeds",
      200_000,
    );
    const heartbeats =
      await sql`select 1 as one from pg_stat_activity where application_name = 'millrace heartbeat' and datname = current_database()`;
    expect(heartbeats, "the thread of heartbeats goes past the pooler").toEqual([{ one: 1 }]);
    expect(await service.stop()).toBe(0);
  },
);
