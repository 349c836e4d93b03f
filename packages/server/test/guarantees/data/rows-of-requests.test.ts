import { describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database/database.ts";
import { insertLogChunks } from "../../../src/store/log/log-chunks.ts";
import { extendLease } from "../../../src/store/worker/workers.ts";
import { testApp } from "../../kit/app.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { params } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { externalTeam } from "../../kit/worker/external-kit.ts";

/**
 * The cost of a request about a run does not grow with the runs of its team, whatever PostgreSQL knew when it made its cached plans:
 * nothing, empty tables, or the real contents. The test counts the rows that were read in any table: a wrong index would read all rows of
 * the team.
 */
const others = 1_000;
const most = 100;

describe.each(["nothing", "empty tables", "all rows"] as const)("with statistics of %s", async (known) => {
  const made = await scene();
  const { addOthers, rowsRead, sql } = made;
  const uses: Record<string, Use> = { ...starts(made), ...workOfTasks(made), ...requestsAboutRuns(made) };
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  // An older server may find a row by an index of the team until the table was analysed with its rows.
  const isBounded = known === "all rows" || server!.version >= 180_000;

  test.skipIf(!isBounded)(
    "a request about a run reads its own rows",
    async () => {
      if (known === "empty tables") await sql`analyze`;
      const useAll = async () => {
        const found: Record<string, Record<string, number>> = {};
        for (const [name, use] of Object.entries(uses)) {
          await use(async (work) => {
            const before = await rowsRead();
            const result = await work();
            const after = await rowsRead();
            const rows = Object.entries(after).map(([table, count]): [string, number] => [table, count - (before[table] ?? 0)]);
            found[name] = { ...found[name], ...Object.fromEntries(rows.filter(([, count]) => count > most)) };
            return result;
          });
        }
        return Object.fromEntries(Object.entries(found).filter(([, tables]) => Object.keys(tables).length > 0));
      };
      const makePlans = async () => {
        for (let round = 0; round < 6; round++) for (const use of Object.values(uses)) await use((work) => work());
      };
      await makePlans();
      await addOthers();
      if (known === "all rows") {
        await sql`vacuum analyze`;
        await makePlans();
        // The entries of rows that the rounds have replaced would be counted, too.
        await sql`vacuum analyze`;
      }
      expect(await useAll()).toEqual({});
    },
    180_000,
  );
});

type Use = (counted: <T>(work: () => Promise<T>) => Promise<T>) => Promise<unknown>;

async function scene() {
  // One connection, so that its reads appear in the statistics as soon as it is asked to report.
  const app = await testApp({ database: { maxConnections: 1 } });
  const kit = engineKit(app.sql, app);
  const { sql } = app;
  await keepStatistics(sql);
  const admin = app.as();
  const team = await externalTeam(app, ["greet"]);
  const outside = team.worker(await team.token());
  const inside = await kit.worker();
  const pure = node("set", "setwfproperty", ["start"], params({ output: "a", value: "1" }));
  const script = node("work", "script", ["start"], params({ script: "true" }));
  await kit.workflow(team.id, "pure", workflow(pure));
  await kit.workflow(team.id, "script", workflow(script));
  await kit.workflow(team.id, "limited", workflow(pure), { concurrency: { key: "one", max: 1 } });
  await kit.workflow(team.id, "event", workflow(node("wait", "eventwait", ["start"], params({ topic: "t" }))));
  await kit.workflow(team.id, "sleeper", workflow(node("nap", "sleep", ["start"], params({ duration: 86_400_000 }))));
  await team.run(["greet"]);
  await outside.complete((await outside.claim(["greet"]))[0]!);
  const submit = async (name: string, query = "") => {
    const { status, body, text } = await admin.post(`${team.path}/workflow/${name}/submit${query}`, {});
    if (status !== 200) throw new Error(`${name} was answered ${status}: ${text}`);
    return body as { id: string };
  };
  const runs = `${team.path}/workflowrun`;
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    if (status >= 300) throw new Error(`answered ${status}: ${text}`);
  };
  const claimScript = async () => {
    await submit("script", "?start=true");
    return kit.claim(inside, team.id);
  };
  const claimExternal = async () => {
    await submit("external-1", "?start=true");
    return (await outside.claim(["greet"]))[0]!;
  };

  /** Each run with the rows of a run that has been in progress for a while. */
  async function addOthers() {
    // Together, so that they go in few batches.
    for (let round = 0; round < others / 100; round++) {
      await Promise.all(Array.from({ length: 100 }, () => kit.submit(team.id, "sleeper", { start: true })));
    }
    await sql`
      insert into task_run_attempt (team_id, task_run_id, attempt, status, reason, executor, started_at)
      select team_id, id, 1, 'succeeded', 'Succeeded', 'process', db_now() from task_run`;
    await sql`
      insert into log_chunk (team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
      select team_id, id, 1, 0, 0, 1, 1, '\\x00' from task_run where type = 'sleep'`;
  }

  async function rowsRead(): Promise<Record<string, number>> {
    await sql`select pg_stat_force_next_flush()`;
    const rows = await sql<{ name: string; rows: number }[]>`
      select t.relname as name, (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables t
      union all
      select i.indexrelname, i.idx_tup_read::float8 from pg_stat_user_indexes i`;
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
  }

  return { addOthers, admin, claimExternal, claimScript, inside, kit, ok, outside, rowsRead, runs, sql, submit, team };
}

type Scene = Awaited<ReturnType<typeof scene>>;

function starts({ submit, ok, admin, kit, runs, inside, team }: Scene): Record<string, Use> {
  return {
    submit: (counted) => counted(() => submit("pure")).then(() => kit.settle()),
    "submit and start": (counted) => counted(() => submit("pure", "?start=true")),
    "submit and start with a task for a worker": async (counted) => {
      await counted(() => submit("script", "?start=true"));
      await kit.end(await kit.claim(inside, team.id));
    },
    "submit and start with a limit": (counted) => counted(() => submit("limited", "?start=true")),
    "start from the queue": async (counted) => {
      await submit("pure");
      await counted(() => kit.settle());
    },
    "start by request": async (counted) => {
      const { id } = await submit("pure");
      await counted(() => ok(admin.put(`${runs}/${id}/start`)));
    },
  };
}

function workOfTasks({ sql, kit, admin, team, inside, outside, submit, ok, claimScript, claimExternal }: Scene): Record<string, Use> {
  return {
    "lines of a log": async (counted) => {
      const claim = await claimScript();
      const chunk = {
        teamId: team.id,
        taskRunId: claim.id,
        attempt: claim.attempt,
        firstLine: 0,
        lineCount: 1,
        rawBytes: 2,
        data: Buffer.from("a"),
      };
      await counted(() => insertLogChunks(sql, [{ ...chunk, seq: 0 }]));
      await kit.end(claim);
    },
    "reading a log": async (counted) => {
      const claim = await claimScript();
      await kit.end(claim);
      await counted(() => ok(admin.get(`/api/v2/taskrun/${claim.id}/log`)));
    },
    "heartbeat of a worker": async (counted) => {
      const claim = await claimScript();
      await counted(() => extendLease(sql, inside, 3600, ["process"]));
      await kit.end(claim);
    },
    "claim of an external worker": async (counted) => {
      await submit("external-1", "?start=true");
      const [claim] = await counted(() => outside.claim(["greet"]));
      await outside.complete(claim!);
    },
    "lines of an external worker": async (counted) => {
      const { id, attempt } = await claimExternal();
      await counted(() => ok(outside.call("log", { attempts: [{ id, attempt, lines: ["hello"] }] })));
      await outside.complete({ id, attempt } as never);
    },
    "heartbeat of an external worker": async (counted) => {
      const { id, attempt } = await claimExternal();
      await counted(() => ok(outside.call("heartbeat", { attempts: [{ id, attempt }] })));
      await outside.complete({ id, attempt } as never);
    },
    "end by an external worker": async (counted) => {
      const claim = await claimExternal();
      await counted(() => ok(outside.complete(claim)));
    },
    "second end by an external worker": async (counted) => {
      const claim = await claimExternal();
      await outside.complete(claim);
      await counted(() => ok(outside.complete(claim)));
    },
  };
}

function requestsAboutRuns({ admin, kit, team, runs, submit, ok }: Scene): Record<string, Use> {
  return {
    "reading a run": async (counted) => {
      const { id } = await submit("pure", "?start=true");
      await counted(() => ok(admin.get(`${runs}/${id}`)));
      await counted(() => ok(admin.get(`${runs}/${id}?view=summary`)));
      await counted(() => ok(admin.get(`${team.path}/taskrun/query?limit=20&workflowruns=${id}`)));
    },
    "cancelling a queued run": async (counted) => {
      const { id } = await submit("pure");
      await counted(() => ok(admin.delete(`${runs}/${id}/cancel`)));
    },
    "cancelling a run": async (counted) => {
      const { id } = await submit("script", "?start=true");
      await counted(() => ok(admin.delete(`${runs}/${id}/cancel`)));
    },
    callback: async (counted) => {
      const { id } = await submit("event", "?start=true");
      await counted(() => ok(admin.post(`/api/v2/callback?ref=${id}&topic=t`, {})));
      await counted(() => kit.settle());
    },
    rerun: async (counted) => {
      const { id } = await submit("event", "?start=true");
      await admin.delete(`${runs}/${id}/cancel`);
      await counted(() => ok(admin.post(`${runs}/${id}/rerun`, {})));
      await kit.settle();
    },
    "label of a run": async (counted) => {
      const { id } = await submit("pure", "?start=true");
      await counted(() => ok(admin.patch(`${runs}/${id}`, { labels: { a: "b" } })));
    },
  };
}

/** Autovacuum is off, so that only the test decides when statistics are made. */
async function keepStatistics(sql: Database): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
  for (const { name } of tables) await sql.unsafe(`alter table ${name} set (autovacuum_enabled = false)`);
}
