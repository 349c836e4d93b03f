import { describe, expect, test } from "vitest";
import type { Transaction } from "../../../src/store/database/database.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { claimExternalTaskRuns } from "../../../src/store/external/external-workers.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { testApp } from "../../kit/app.ts";
import { moveTime } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { externalAnnotations, externalTeam } from "../../kit/worker/external-kit.ts";

const app = await testApp();
const engine = engineKit(app.sql, app);
const team = await externalTeam(app, [
  "work",
  "rest",
  { name: "login", spec: { params: [{ name: "password", type: "password" }, { name: "user" }], results: [{ name: "session" }] } },
  { name: "typed", spec: { results: [{ name: "list", type: "array" }] } },
]);
const token = await team.token();
const ownerOf = async (id: string) => (await app.sql<{ owner: string }[]>`select owner from worker where id = ${id}`)[0]?.owner as string;
/** Rows of task runs that the work reads, by the counters of its transaction. */
const rowsReadBy = (work: (tx: Transaction) => Promise<unknown>) =>
  transaction(app.sql, async (tx) => {
    await work(tx);
    const [row] = await tx<{ rows: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname like 'task_run%'`;
    return row?.rows ?? 0;
  });
const logOf = async (id: string) => (await app.as().get(`/api/v2/taskrun/${id}/log?follow=false`)).text;

describe("waiting", () => {
  test("a waiting claim returns when its task becomes ready, and for no other reason", async () => {
    const worker = team.worker(token);
    await worker.claim(["work"]);
    const other = await externalTeam(app, ["work"]);
    const claimed = worker.claim(["work"], { wait: 30 });
    await team.run(["rest"]);
    await other.run(["work"]);
    const run = await team.run(["work"]);
    expect(await claimed).toMatchObject([{ task: "work", runId: run }]);
  });

  test("of many waiting claims each gets one task run, and a claim returns empty at its timeout", async () => {
    const workers = Array.from({ length: 4 }, () => team.worker(token));
    for (const worker of workers) await worker.claim(["work"]);
    const claims = workers.map((worker) => worker.claim(["work"], { wait: 30, max: 1 }));
    const runs: string[] = [];
    for (const _ of workers) runs.push(await team.run(["work"]));
    const found = (await Promise.all(claims)).map((claim) => claim.map(({ runId }) => runId));
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(found.flat().sort()).toEqual(runs.sort());
    expect(await workers[0]!.claim(["work"], { wait: 0.2 })).toEqual([]);
  });

  test("a task run that no worker asks for says so, with the remedy", async () => {
    const lonely = await externalTeam(app, ["work"]);
    const run = await lonely.run(["work"]);
    const step = (await lonely.runOf(run)).tasks.find(({ name }: { name: string }) => name === "step-1");
    expect(step).toMatchObject({ status: "ready", waitingFor: expect.stringContaining('No external worker asks for task "work"') });
    expect(step.warnings).toMatchObject([{ code: "NO_EXECUTOR" }]);
    const worker = lonely.worker(await lonely.token());
    await worker.claim(["work"], { max: 1, wait: 0.001 });
    await lonely.run(["work"]);
    const second = await lonely.run(["work"]);
    const waiting = (await lonely.runOf(second)).tasks.find(({ name }: { name: string }) => name === "step-1");
    expect(waiting.waitingFor).toBe('Waiting to be claimed by an external worker that asks for task "work"');
    expect(waiting.warnings).toBeUndefined();
  });

  test("a name that is no external task is answered with a warning", async () => {
    const { status, body } = await team.worker(token).call("claim", { tasks: ["wrok"] });
    expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: [expect.stringContaining("no external task wrok")] });
  });

  test("a claim reads no waiting task runs of other tasks", async () => {
    const busy = await externalTeam(app, ["many", "few"]);
    await busy.run(["many"]);
    await app.sql`
      insert into task_run select (jsonb_populate_record(t, jsonb_build_object('id', new_id(), 'item', n))).*
      from task_run t, generate_series(1, 10000) n where t.team_id = ${busy.id} and t.place = 'external/many'`;
    await app.sql`analyze task_run`;
    await busy.run(["few"]);
    const worker = busy.worker(await busy.token());
    await worker.claim(["few"]);
    await busy.run(["few"]);
    const key = { teamId: busy.id, id: worker.id as string, owner: await ownerOf(worker.id as string) };
    expect(await rowsReadBy(async (tx) => expect(await claimExternalTaskRuns(tx, key, 1, ["external/few"])).toHaveLength(1))).toBeLessThan(
      20,
    );
    const service = await engine.worker();
    expect(await rowsReadBy(async (tx) => expect(await claimTaskRuns(tx, service, 5, ["process"], [])).toEqual([]))).toBeLessThan(100);
  });
});

describe("attempts that end without their worker", () => {
  test("a waiting heartbeat reports a cancelled run at once, and later reports are refused", async () => {
    const run = await team.run(["work"]);
    const worker = team.worker(token);
    const [claim] = await worker.claim(["work"]);
    const attempts = [{ id: claim?.id, attempt: 1 }];
    expect(await worker.call("heartbeat", { attempts })).toMatchObject({ status: 200, body: { leaseSeconds: 30, ended: [] } });
    const beat = worker.call("heartbeat", { attempts, wait: 30 });
    await app.as().delete(`${team.path}/workflowrun/${run}/cancel`);
    expect((await beat).body.ended).toEqual([{ id: claim?.id, attempt: 1, status: "cancelled" }]);
    expect((await worker.complete(claim!)).body.completed).toEqual([{ id: claim?.id, attempt: 1, recorded: false, status: "cancelled" }]);
    expect((await worker.call("log", { attempts: [{ ...attempts[0], lines: ["late"] }] })).body.attempts[0].stored).toBe(false);
  });

  test("a task that a worker holds without knowing it is returned, and goes to the next worker without using up retries", async () => {
    const run = await team.run(["work"]);
    const worker = team.worker(token);
    const [claim] = await worker.claim(["work"]);
    await moveTime(app.sql, 11_000);
    expect((await worker.call("heartbeat", { attempts: [] })).status).toBe(200);
    expect(await worker.claim(["work"])).toMatchObject([{ id: claim?.id, attempt: 2, runId: run }]);
  });

  test("a worker that leaves returns what it holds", async () => {
    const run = await team.run(["work"]);
    const worker = team.worker(token);
    const [claim] = await worker.claim(["work"]);
    expect((await worker.call("leave", {})).status).toBe(204);
    const next = team.worker(token);
    const [again] = await next.claim(["work"]);
    expect(again).toMatchObject({ id: claim?.id, attempt: 2 });
    expect((await worker.complete(claim!)).body.completed).toMatchObject([{ recorded: false, status: "lost" }]);
    await next.complete(again!);
    const ended = await team.runOf(run);
    expect(ended.status).toBe("succeeded");
  });

  test("five faults of machines in a row fail a task run", async () => {
    const run = await team.run(["work"]);
    const worker = team.worker(token);
    for (let count = 0; count < 5; count++) {
      const [claim] = await worker.claim(["work"]);
      await worker.complete(claim!, { status: "released", fault: true, message: "no disk" });
    }
    expect(await team.runOf(run)).toMatchObject({ status: "failed" });
    expect(await worker.claim(["work"])).toEqual([]);
  });
});

describe("secrets and values", () => {
  test("secrets go to the claimer in clear, and are masked in logs, results and messages", async () => {
    const run = await team.run(["login"], {
      params: [
        { name: "password", value: "hunter2-secret" },
        { name: "user", value: "ada" },
      ],
    });
    const worker = team.worker(token);
    const [claim] = await worker.claim(["login"]);
    expect(claim?.params).toEqual({ password: "hunter2-secret", user: "ada" });
    const lines = ["signing in with hunter2-secret", "two\nlines"];
    expect((await worker.call("log", { attempts: [{ id: claim?.id, attempt: 1, lines }] })).body.attempts[0].stored).toBe(true);
    await worker.complete(claim!, {
      status: "failed",
      message: "hunter2-secret is wrong",
      results: { session: "x hunter2-secret y" },
      lines: ["bye hunter2-secret"],
    });
    const ended = await team.runOf(run);
    expect(JSON.stringify(ended)).not.toContain("hunter2");
    const step = ended.tasks.find(({ name }: { name: string }) => name === "step-1");
    expect(step).toMatchObject({ statusMessage: "*** is wrong", results: [{ name: "session", value: "x *** y" }] });
    expect(await logOf(step.id)).toBe("signing in with ***\ntwo\nlines\nbye ***\n");
  });

  test("another process masks the same secrets, and can end an attempt claimed here", async () => {
    const run = await team.run(["login"], { params: [{ name: "password", value: "hunter2-secret" }] });
    const worker = team.worker(token);
    const [claim] = await worker.claim(["login"]);
    const other = await testApp({ beside: app, keys: [app.key] });
    const answer = await other.as(token).post(`${team.path}/external/complete`, {
      worker: worker.id,
      attempts: [
        { id: claim?.id, attempt: 1, status: "succeeded", results: { session: "of hunter2-secret" }, lines: ["with hunter2-secret"] },
      ],
    });
    expect(answer.body.completed).toMatchObject([{ recorded: true }]);
    const ended = await team.runOf(run);
    expect(ended.status).toBe("succeeded");
    expect(JSON.stringify(ended)).not.toContain("hunter2");
    expect(await logOf(claim!.id)).toBe("with ***\n");
  });

  test("a result of another type than its task declares fails the attempt", async () => {
    const run = await team.run(["typed"]);
    const worker = team.worker(token);
    const [claim] = await worker.claim(["typed"]);
    await worker.complete(claim!, { results: { list: "no list" } });
    const step = (await team.runOf(run)).tasks.find(({ name }: { name: string }) => name === "step-1");
    expect(step).toMatchObject({ status: "failed", statusMessage: expect.stringContaining('result "list" is declared as array') });
  });
});

describe("invalid combinations are refused when they are saved", () => {
  test.each([
    ["a step", { script: "echo no" }, {}, "/spec/steps"],
    ["workspaces", { workspaces: [{ name: "data" }] }, {}, "/spec/workspaces"],
    ["a network", {}, { "millrace.dev/network": "none" }, "/annotations/millrace.dev~1network"],
    ["labels of workers", {}, { "millrace.dev/runs-on": "gpu" }, "/annotations/millrace.dev~1runs-on"],
  ])("%s", async (_, spec, annotations, path) => {
    const body = { name: "senseless", type: "custom", annotations: { ...externalAnnotations, ...annotations }, spec };
    const { status, body: answer } = await app.as().post(`${team.path}/task`, body);
    expect({ status, errors: answer.errors }).toMatchObject({
      status: 400,
      errors: [{ path, message: expect.stringContaining("must be left out") }],
    });
  });

  test("a node with workspaces, and a node that takes a task out of its program", async () => {
    const save = (node: object) =>
      app.as().post(`${team.path}/workflow`, {
        name: "senseless",
        workspaces: [{ name: "workflowrun", type: "workflowrun" }],
        tasks: [{ name: "step", taskRef: "work", ...node }],
      });
    expect(await save({ workspaces: [{ name: "workflowrun", mountPath: "/data" }] })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("no workspaces") },
    });
    expect(await save({ annotations: { "millrace.dev/executor": "process" } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("is external") },
    });
  });
});
