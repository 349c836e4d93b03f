import { describe, expect, onTestFinished, test } from "vitest";
import { params, runKit, type TestTeam } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";

const { app, kit, team } = await runKit();
const admin = app.as();

async function someTeam() {
  const made = await team();
  await made.workflow("waits", workflow(node("gate", "eventwait", ["start"], params({ topic: "go" }))));
  return made;
}

/** What every run of the team waits for happens. */
async function go(made: TestTeam): Promise<void> {
  await kit.settle();
  const runs = await app.sql<{ id: string }[]>`select id from run where team_id = ${made.id} and phase = 'running'`;
  for (const { id } of runs)
    await kit.driver.advance([{ teamId: made.id, id, events: [{ kind: "callback", topic: "go", status: "succeeded", payload: null }] }]);
}
const count = async (made: TestTeam) => (await app.sql`select from run where team_id = ${made.id}`).length;

describe("?wait holds the answer back", () => {
  test("until the run is over, for a read", async () => {
    const made = await someTeam();
    const { id } = await made.submit("waits");
    const path = `${made.path}/workflowrun/${id}`;
    let answered = false;
    const answer = admin.get(`${path}?wait=60s`).finally(() => {
      answered = true;
    });
    expect((await admin.get(path)).body.status).toBe("running");
    expect(answered).toBe(false);
    await go(made);
    expect(await answer).toMatchObject({ status: 200, body: { id, status: "succeeded", tasks: [{}, { status: "succeeded" }, {}] } });
    expect((await admin.get(`${path}?wait=60s`)).body.status, "of a run that is over: at once").toBe("succeeded");
  });

  test("until the run is over, for a submission", async () => {
    const made = await someTeam();
    const answer = admin.post(`${made.path}/workflow/waits/submit?wait=60s`, {});
    await until(async () => (await count(made)) === 1, "the run is recorded");
    await go(made);
    const { status, body } = await answer;
    expect([status, body.status, body.phase]).toEqual([200, "succeeded", "completed"]);
    expect(body).not.toHaveProperty("tasks");
  });

  test.each(["start=true&", ""])("and a run that ended with its submission is answered as a read shows it: %j", async (start) => {
    app.context.startsQueuedRuns = true;
    onTestFinished(() => {
      app.context.startsQueuedRuns = false;
    });
    const made = await team();
    await made.workflow("pure", workflow(node("set", "setwfproperty", ["start"], params({ output: "x", value: "1" }))));
    const tokens = [await app.make.teamToken(made.id, ["workflow/action", "workflowrun/read"]), undefined];
    for (const caller of [await made.member("editor"), ...tokens.map((token) => app.as(token))]) {
      const { body } = await caller.post(`${made.path}/workflow/pure/submit?${start}wait=60s`, {});
      expect(body.status).toBe("succeeded");
      expect((await caller.get(`${made.path}/workflowrun/${body.id}?withTasks=false`)).body).toEqual(body);
    }
  });

  test("and a stored response is not taken for the state of a run that was retried since", async () => {
    const made = await team();
    await made.workflow("once", workflow(node("fails", "eventwait", ["start"], params({ topic: "go" }))));
    const send = () => admin.post(`${made.path}/workflow/once/submit?start=true&wait=50ms`, {}, { "idempotency-key": "retried" });
    const { body } = await send();
    await app.sql`update idempotency set response = replace(response, '"status":"running"', '"status":"failed"') where key = 'retried'`;
    expect((await send()).body).toMatchObject({ id: body.id, status: "running" });
  });

  test("no longer than is asked for: the run is answered as it is", async () => {
    const made = await someTeam();
    const { status, body } = await admin.post(`${made.path}/workflow/waits/submit?start=true&wait=50ms`, {});
    expect([status, body.status]).toEqual([200, "running"]);
    expect(await admin.get(`${made.path}/workflowrun/${body.id}?wait=50ms&withTasks=false`)).toMatchObject({
      status: 200,
      body: { status: "running" },
    });
  });

  test("and a repeated Idempotency-Key waits for the same run, with its own timeout", async () => {
    const made = await someTeam();
    const send = (wait: string) => admin.post(`${made.path}/workflow/waits/submit?start=true${wait}`, {}, { "idempotency-key": "once" });
    const first = await send("&wait=50ms");
    expect(first.body.status).toBe("running");
    const again = send("&wait=60s");
    const without = await send("");
    expect(without.headers["idempotency-replayed"]).toBe("true");
    expect(without.body, "the first answer, as it was given").toMatchObject({ id: first.body.id });
    await go(made);
    expect((await again).body).toMatchObject({ id: first.body.id, status: "succeeded" });
    expect((await again).headers["idempotency-replayed"]).toBe("true");
    expect(await count(made)).toBe(1);
  });

  test("and responds with the submitted run if it can't be read afterwards", async () => {
    const made = await someTeam();
    const member = await made.member("editor");
    const answer = member.post(`${made.path}/workflow/waits/submit?start=true&wait=60s`, {});
    await until(async () => (await count(made)) === 1, "the run is recorded");
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${made.id}`;
    await go(made);
    expect(await answer).toMatchObject({ status: 200, body: { status: "running" } });
  });

  test("without holding a connection of the database", async () => {
    const made = await someTeam();
    const { id } = await made.submit("waits");
    const waiting = Array.from({ length: 40 }, () => admin.get(`${made.path}/workflowrun/${id}?wait=60s`));
    expect((await admin.get(`${made.path}/workflowrun/${id}`)).body.status).toBe("running");
    await go(made);
    for (const { body } of await Promise.all(waiting)) expect(body.status).toBe("succeeded");
  });

  test.each(["", "30", "-1s", "301s", "6m", "1h", "1.5s", "soon"])("and refuses the time %j before anything happens", async (wait) => {
    const made = await someTeam();
    const refused = await admin.post(`${made.path}/workflow/waits/submit?wait=${wait}`, {});
    expect([refused.status, refused.body.reason]).toEqual([400, "VALIDATION_FAILED"]);
    expect(refused.body.message).toContain(`wait is ${JSON.stringify(wait)}; it must be a number with ms, s or m, at most 300s`);
    expect((await admin.get(`${made.path}/workflowrun/${made.id}?wait=${wait}`)).status).toBe(400);
    expect(await count(made)).toBe(0);
  });

  test("and needs the permission to read runs", async () => {
    const made = await someTeam();
    const submitter = app.as(await app.make.teamToken(made.id, ["workflow/action"]));
    const refused = await submitter.post(`${made.path}/workflow/waits/submit?wait=1s`, {});
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("workflowrun/read")]);
    expect(await count(made)).toBe(0);
    expect((await submitter.post(`${made.path}/workflow/waits/submit`, {})).status).toBe(200);
  });
});
