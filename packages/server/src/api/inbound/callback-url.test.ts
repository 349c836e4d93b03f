import { describe, expect, test } from "vitest";
import { params, runKit, type TestTeam, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { testExecutors } from "../../../test/kit/worker/test-executor.ts";
import { prepareJobs } from "../../engine/prepare-jobs.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const waits = node("wait", "eventwait", ["send"], params({ topic: "paid by Ada" }));
const sends = node(
  "send",
  "script",
  ["start"],
  params({
    script: "true",
    to: "$(context.params.callback-url['paid by Ada'])",
    note: "answer $(context.params.callback-url.other) please",
  }),
);

const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
const settings = { executors: testExecutors(), workspacesDir: "/nowhere", limits };

/** A run whose task `send` was given to an executor, and the parameters that it got. */
async function handedOver() {
  const made = await team();
  await made.workflow("pays", workflow(sends, waits));
  const { id } = await made.submit("pays");
  return { ...made, runId: id, ...(await jobOf(made)) };
}

async function jobOf(made: Pick<TestTeam, "id">) {
  const claim = await kit.claim(await kit.worker(), made.id);
  const [prepared] = await prepareJobs(app.sql, kit.context, settings, [claim]);
  const job = prepared!.job!;
  const values = Object.fromEntries(job.params.map(({ name, value }) => [name, String(value)]));
  return { claim, url: values["to"]!, note: values["note"]!, secrets: job.secrets };
}

/** As the external system calls it: without any credential. */
const call = (url: string, body: unknown = { order: 7 }) => app.as(null).post(pathOf(url), body);
const pathOf = (url: string) => url.slice(url.indexOf("/api/"));
const eventsOf = (runId: string) => app.sql`select topic, status, payload from run_event where run_id = ${runId} order by id`;

describe("the address that a run gives for a topic", () => {
  test("completes the wait without a token, with a payload or a status", async () => {
    const { url, runId, run, claim } = await handedOver();
    expect(url).toMatch(new RegExp(`^http.*/api/v2/callback\\?ref=${runId}&topic=paid%20by%20Ada&signature=[\\w-]{43}$`));
    await kit.end(claim);
    expect((await call(url)).status).toBe(204);
    expect(taskOf(await run(runId), "wait")).toMatchObject({ status: "succeeded", results: [{ name: "data", value: { order: 7 } }] });
    const [record] = await app.sql`select principal_kind, after from audit where object_id = ${runId} and after::text like '%topic%'`;
    expect(record).toMatchObject({ principal_kind: "integration" });
    const other = await handedOver();
    await kit.end(other.claim);
    expect((await app.as(null).get(`${pathOf(other.url)}&status=failed`)).status).toBe(204);
    expect(taskOf(await other.run(other.runId), "wait")).toMatchObject({ status: "failed", reason: "EventFailed" });
  });

  test("is a secret: masked in every read and row, and its signature in logs", async () => {
    const { url, note, runId, run, secrets, id: teamId } = await handedOver();
    const signature = url.slice(url.indexOf("signature=") + 10);
    expect(note).toMatch(/^answer http.*topic=other&signature=[\w-]{43} please$/);
    expect(secrets).toContain(signature);
    expect(taskOf(await run(runId), "send").params).toEqual([
      { name: "script", value: "true" },
      { name: "to", value: "******" },
      { name: "note", value: "answer ****** please" },
    ]);
    const rows = [
      await app.sql`select layers, params, labels from run where id = ${runId}`,
      await app.sql`select params, results from task_run where run_id = ${runId}`,
      await app.sql`select before, after from audit where team_id = ${teamId}`,
    ];
    expect(JSON.stringify(rows)).not.toContain(signature);
  });

  test("is valid for its run and topic only", async () => {
    const [one, two] = [await handedOver(), await handedOver()];
    const signature = one.url.slice(one.url.indexOf("signature=") + 10);
    const forged = [
      one.url.replace(one.runId, two.runId),
      one.url.replace("paid%20by%20Ada", "other"),
      one.url.replace("paid%20by%20Ada", "paid%20by%20Ada%20"),
      one.url.replace(signature, `${signature.slice(0, -4)}AAAA`),
      one.url.replace(signature, `${signature}=`),
      one.url.replace(signature, ""),
      one.url.replace(one.runId, one.id),
      one.url.replace(one.runId, "no-run"),
    ];
    for (const url of forged) expect(await call(url), url).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    for (const run of [one, two]) expect(await eventsOf(run.runId)).toHaveLength(0);
    expect((await app.as("mrt_nonsense").post(pathOf(one.url), {})).status).toBe(401);
    const elsewhere = pathOf(one.url).replace("/callback", "/event");
    expect((await app.as(null).post(elsewhere, {})).status).toBe(401);
    expect((await call(one.url)).status).toBe(204);
  });

  test("stops working when the run has ended", async () => {
    const { url, runId, path, claim, run } = await handedOver();
    expect((await admin.delete(`${path}/workflowrun/${runId}/cancel`)).status).toBeLessThan(300);
    await kit.end(claim);
    expect((await run(runId)).phase).toBe("completed");
    expect((await call(url)).status).toBe(409);
    expect(await eventsOf(runId)).toHaveLength(0);
  });

  test("is different when the run is rerun", async () => {
    const made = await handedOver();
    await kit.end(made.claim);
    expect((await call(`${made.url}&status=failed`)).status).toBe(204);
    const again = await admin.put(`${made.path}/workflowrun/${made.runId}/retry?start=true`, undefined);
    expect(again.status).toBe(200);
    const second = await jobOf(made);
    expect(second.url).toContain(`ref=${again.body.id}&`);
    await kit.end(second.claim);
    expect((await call(made.url, { late: true })).status).toBe(409);
    expect((await call(second.url)).status).toBe(204);
    expect((await made.run(again.body.id)).status).toBe("succeeded");
  });
});
