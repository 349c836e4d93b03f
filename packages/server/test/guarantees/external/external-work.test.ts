import { expect, test } from "vitest";
import { testApp } from "../../kit/app.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { externalTeam } from "../../kit/worker/external-kit.ts";

const app = await testApp();
const engine = engineKit(app.sql, app);
const team = await externalTeam(app, [
  {
    name: "greet",
    spec: {
      params: [{ name: "name" }, { name: "times", type: "number" }, { name: "loud", type: "boolean" }],
      results: [{ name: "greeting" }],
    },
  },
  "other",
]);
const token = await team.token();

test("a chain of external tasks runs with one request a step", async () => {
  const run = await team.run(["greet", "greet", "greet"], {
    params: [
      { name: "name", value: "Ada" },
      { name: "times", value: "3" },
      { name: "loud", value: "true" },
    ],
  });
  const worker = team.worker(token);
  let [claim] = await worker.claim(["greet"]);
  expect(claim).toMatchObject({ task: "greet", name: "step-1", attempt: 1, runId: run, params: { name: "Ada", times: 3, loud: true } });
  for (const step of ["step-2", "step-3", undefined]) {
    const { status, body } = await worker.complete(
      claim!,
      { results: { greeting: `hello ${claim?.name}`, count: 3 } },
      { claim: { tasks: ["greet"] } },
    );
    expect({ status, completed: body.completed, next: body.claimed[0]?.name }).toEqual({
      status: 200,
      completed: [{ id: claim?.id, attempt: 1, recorded: true }],
      next: step,
    });
    claim = body.claimed[0];
  }
  const ended = await team.runOf(run);
  expect(ended.status).toBe("succeeded");
  expect(ended.tasks[1]).toMatchObject({
    status: "succeeded",
    results: [
      { name: "greeting", value: "hello step-1" },
      { name: "count", value: 3 },
    ],
  });
  expect(ended.tasks[1].attempts).toMatchObject([{ status: "succeeded", executor: "external" }]);
});

test("the lease of a worker is extended with its next claim", async () => {
  await team.run(["other", "other"]);
  const worker = team.worker(token);
  const [claim] = await worker.claim(["other"]);
  await app.sql`update worker set lease_until = db_now() + interval '5 seconds' where id = ${worker.id!}`;
  const { body } = await worker.complete(claim!, {}, { claim: { tasks: ["other"] } });
  expect(body.claimed).toMatchObject([{ name: "step-2", attempt: 1 }]);
  const [lease] = await app.sql<{ isLong: boolean }[]>`
    select lease_until > db_now() + interval '15 seconds' as "isLong" from worker where id = ${worker.id!}`;
  expect(lease?.isLong).toBe(true);
  await worker.complete(body.claimed[0]);
});

const none = "00000000-0000-7000-8000-000000000000";

test("a lease from before the clock was set back is renewed with the next claim, so that it does not end as that of a dead worker", async () => {
  await team.run(["other", "other"]);
  const worker = team.worker(token);
  const [claim] = await worker.claim(["other"]);
  await app.sql`update worker set lease_until = db_now() + interval '1 hour' where id = ${worker.id!}`;
  expect((await worker.complete(claim!, {}, { claim: { tasks: ["other"] } })).body.claimed).toMatchObject([{ name: "step-2" }]);
  const [row] = await app.sql<{ isRenewed: boolean }[]>`
    select lease_until <= db_now() + make_interval(secs => lease_seconds) as "isRenewed" from worker where id = ${worker.id!}`;
  expect(row).toEqual({ isRenewed: true });
});

test("a claim needs the permission, a token that names the tasks, and the team", async () => {
  const path = `${team.path}/external/claim`;
  const claim = (by: string | null, tasks = ["greet"], where = path) => app.as(by).post(where, { tasks });
  const owner = await app.make.member(team.id, "owner");
  const foreign = await externalTeam(app, ["greet"]);
  expect(await claim(null)).toMatchObject({ status: 401 });
  expect(await claim(await team.token([], ["externaltask/action"]))).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('"tasks": ["greet"]') },
  });
  expect(await claim(owner.token)).toMatchObject({ status: 403, body: { message: expect.stringContaining("names no tasks") } });
  expect(await claim(undefined as never)).toMatchObject({ status: 403 });
  expect(await claim(await team.token(["other"]))).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining("this token is for other") },
  });
  expect(await claim(await team.token(["other"]), ["other"])).toMatchObject({ status: 200 });
  expect(await claim(await foreign.token())).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
  const mint = (by: string, body: object) =>
    app.as(by).post("/api/v2/token", { type: "team", name: "t", principal: team.name, permissions: ["externaltask/action"], ...body });
  expect(await mint(owner.token, { tasks: ["greet"], permissions: ["workflow/read"] })).toMatchObject({ status: 403 });
  const narrow = await team.token(["greet"], ["externaltask/action", "token/write"]);
  expect(await mint(narrow, { tasks: ["greet"] })).toMatchObject({ status: 200 });
  expect(await mint(narrow, { tasks: ["other"] })).toMatchObject({ status: 403, body: { message: expect.stringContaining("task other") } });
  expect(await mint(narrow, { tasks: ["*"] })).toMatchObject({ status: 403 });
  expect(await mint(owner.token, { tasks: ["no spaces"] })).toMatchObject({ status: 400 });
  const { body } = await app.as().get("/api/v2/token/query?limit=100&page=0");
  expect(body.content.filter((one: { tasks?: string[] }) => one.tasks?.includes("other"))).toHaveLength(2);
});

test("another token, team or worker can't report for an attempt", async () => {
  const run = await team.run(["other"]);
  const worker = team.worker(token);
  const [claim] = await worker.claim(["other"]);
  const outsider = team.worker(await team.token());
  outsider.id = worker.id;
  expect(await outsider.call("claim", { tasks: ["other"] })).toMatchObject({ status: 404, body: { reason: "NOT_FOUND" } });
  expect(await outsider.call("heartbeat", { attempts: [] })).toMatchObject({ status: 404 });
  expect(await outsider.call("leave", {})).toMatchObject({ status: 404 });
  const refused = { status: 200, body: { completed: [{ id: claim?.id, attempt: 1, recorded: false }] } };
  expect(await outsider.complete(claim!)).toMatchObject(refused);
  const colleague = team.worker(token);
  await colleague.claim(["other"]);
  expect(await colleague.complete(claim!)).toMatchObject(refused);
  const foreign = await externalTeam(app, ["other"]);
  const outside = foreign.worker(await foreign.token());
  await outside.claim(["other"]);
  expect(await outside.complete(claim!)).toMatchObject(refused);
  expect(await outside.call("log", { attempts: [{ id: claim?.id, attempt: 1, lines: ["x"] }] })).toMatchObject({
    body: { attempts: [{ stored: false }] },
  });
  expect((await team.runOf(run)).status).toBe("running");
  expect(await worker.complete(claim!)).toMatchObject({ body: { completed: [{ recorded: true }] } });
});

test("the fence refuses a second end, and says how the attempt has ended", async () => {
  const run = await team.run(["other"]);
  const worker = team.worker(token);
  const [claim] = await worker.claim(["other"]);
  expect(await worker.complete(claim!, { results: { n: 1 } })).toMatchObject({ body: { completed: [{ recorded: true }] } });
  expect(await worker.complete(claim!, { status: "failed" })).toMatchObject({
    body: { completed: [{ recorded: false, status: "succeeded" }] },
  });
  expect(await team.runOf(run)).toMatchObject({
    status: "succeeded",
    tasks: expect.arrayContaining([expect.objectContaining({ name: "step-1", results: [{ name: "n", value: 1 }] })]),
  });
  expect(await worker.complete({ ...claim!, attempt: 2 })).toMatchObject({ body: { completed: [{ recorded: false }] } });
  expect(await worker.complete({ ...claim!, id: none })).toMatchObject({ body: { completed: [{ recorded: false }] } });
});

test("a failed attempt is retried by the policy, unless it reports that this is pointless", async () => {
  const retry = { retry: { count: 1, backoffMs: 0 } };
  const worker = team.worker(token);
  const first = await team.run(["other"], retry);
  const [claim] = await worker.claim(["other"]);
  await worker.complete(claim!, { status: "failed", message: "the gate is shut" });
  await engine.settle();
  const [again] = await worker.claim(["other"]);
  expect(again).toMatchObject({ id: claim?.id, attempt: 2 });
  await worker.complete(again!);
  expect((await team.runOf(first)).status).toBe("succeeded");
  const second = await team.run(["other"], retry);
  const [terminal] = await worker.claim(["other"]);
  await worker.complete(terminal!, { status: "failed", message: "no such account", retry: false });
  const ended = await team.runOf(second);
  expect(ended.status).toBe("failed");
  expect(ended.tasks.find(({ name }: { name: string }) => name === "step-1")).toMatchObject({
    status: "failed",
    statusMessage: "no such account",
    attempts: [{ attempt: 1 }],
  });
});
