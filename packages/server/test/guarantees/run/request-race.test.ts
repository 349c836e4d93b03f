import { describe, expect, test } from "vitest";
import { params, runKit, type TestTeam, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/**
 * Requests that concern one run at the same moment: whichever comes first, both responses are true, and nothing is lost, counted twice or
 * left open. Each race is repeated many times, since a single attempt may always take the same order.
 */
const { app, kit, team } = await runKit();
const admin = app.as();
const rounds = 15;
const worker = await kit.worker();

const approval = (wanted: number) => workflow(node("approve", "approval", ["start"], params({ numberOfApprovers: wanted })));

/** The open actions of the run, in the order of their tasks. */
const actionsOf = async (runId: string) =>
  app.sql<{ id: string; status: string }[]>`
    select a.id, a.status from action a join task_run t on t.team_id = a.team_id and t.id = a.task_run_id where a.run_id = ${runId} order by t.node`;

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

/** Both at the same moment, in either order. */
function atOnce<T>(round: number, one: () => Promise<T>, other: () => Promise<T>): Promise<T[]> {
  return Promise.all(round % 2 === 0 ? [one(), other()] : [other(), one()].reverse());
}

async function eachRound(made: TestTeam, name: string, race: (runId: string, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) await race((await made.submit(name)).id, round);
}

describe("two votes at once", () => {
  test("of two persons both count, and the second decides", async () => {
    const made = await team();
    const members = [await made.member("editor"), await made.member("editor")];
    await made.workflow("two", approval(2));
    await eachRound(made, "two", async (runId) => {
      const [action] = await actionsOf(runId);
      const answers = await Promise.all(members.map((member) => member.put(`${made.path}/action`, [{ id: action?.id, approved: true }])));
      expect(statuses(answers)).toEqual([204, 204]);
      expect((await made.run(runId)).status).toBe("succeeded");
      expect((await admin.get(`${made.path}/action/${action?.id}`)).body).toMatchObject({ status: "approved", numberOfApprovals: 2 });
    });
  });

  test("where one is enough, the second is refused as too late", async () => {
    const made = await team();
    const members = [await made.member("editor"), await made.member("editor")];
    await made.workflow("one", approval(1));
    await eachRound(made, "one", async (runId, round) => {
      const [action] = await actionsOf(runId);
      const cast = (index: number) => members[index]!.put(`${made.path}/action`, [{ id: action?.id, approved: index === 0 }]);
      const answers = await atOnce(
        round,
        () => cast(0),
        () => cast(1),
      );
      expect(statuses(answers)).toEqual([204, 409]);
      const { status, actioners } = (await admin.get(`${made.path}/action/${action?.id}`)).body;
      expect(actioners).toHaveLength(1);
      expect(status).toBe(answers[0]?.status === 204 ? "approved" : "rejected");
      expect((await made.run(runId)).status).toBe(answers[0]?.status === 204 ? "succeeded" : "failed");
    });
  });

  test("of one person count once", async () => {
    const made = await team();
    const member = await made.member("editor");
    await made.workflow("three", approval(3));
    await eachRound(made, "three", async (runId) => {
      const [action] = await actionsOf(runId);
      const vote = () => member.put(`${made.path}/action`, [{ id: action?.id, approved: true }]);
      expect(statuses(await Promise.all([vote(), vote(), vote()]))).toEqual([204, 409, 409]);
      expect((await admin.get(`${made.path}/action/${action?.id}`)).body).toMatchObject({ status: "submitted", numberOfApprovals: 1 });
    });
  });

  test("on lists with the same runs in opposite order both succeed", async () => {
    const made = await team();
    const members = [await made.member("editor"), await made.member("editor")];
    await made.workflow("two", approval(2));
    for (let round = 0; round < rounds; round++) {
      const runs = [await made.submit("two"), await made.submit("two"), await made.submit("two")];
      const ids = (await Promise.all(runs.map(({ id }) => actionsOf(id)))).flat().map(({ id }) => ({ id, approved: true }));
      const answers = await Promise.all([
        members[0]!.put(`${made.path}/action`, ids),
        members[1]!.put(`${made.path}/action`, [...ids].reverse()),
      ]);
      expect(statuses(answers)).toEqual([204, 204]);
      for (const { id } of runs) expect((await made.run(id)).status).toBe("succeeded");
    }
  });
});

test("a vote and a cancel at once: the action is decided or cancelled, and both get that outcome", async () => {
  const made = await team();
  await made.workflow(
    "release",
    workflow(node("approve", "approval", ["start"]), node("hold", "eventwait", ["approve"], params({ topic: "go" }))),
  );
  await eachRound(made, "release", async (runId, round) => {
    const [action] = await actionsOf(runId);
    const [vote, cancel] = await atOnce(
      round,
      () => admin.put(`${made.path}/action`, [{ id: action?.id, approved: true }]),
      () => admin.delete(`${made.path}/workflowrun/${runId}/cancel`),
    );
    expect(cancel?.status).toBe(200);
    const run = await made.run(runId);
    expect(run).toMatchObject({ status: "cancelled", awaitingApproval: false });
    expect((await actionsOf(runId))[0]?.status).toBe(vote?.status === 204 ? "approved" : "cancelled");
    expect(taskOf(run, "approve").status).toBe(vote?.status === 204 ? "succeeded" : "cancelled");
    expect([204, 409]).toContain(vote?.status);
  });
});

test("a callback and its wait at once: whichever is first, the wait ends with the payload", async () => {
  const made = await team();
  const wait = node("wait", "eventwait", ["work"], params({ topic: "go" }));
  await made.workflow("waits", workflow(node("work", "script", ["start"]), wait));
  await eachRound(made, "waits", async (runId, round) => {
    const claim = await made.claim(worker);
    const [, answer] = await atOnce<unknown>(
      round,
      () => kit.end(claim),
      () => admin.post(`/api/v2/callback?ref=${runId}&topic=go`, { round }),
    );
    expect(answer).toMatchObject({ status: 204 });
    const run = await made.run(runId);
    expect(run.status).toBe("succeeded");
    expect(taskOf(run, "wait").results).toEqual([{ name: "data", value: { round } }]);
  });
});

test("many callbacks at once on the topics of one run: each wait gets its own", async () => {
  const made = await team();
  const topics = ["a", "b", "c", "d", "e"];
  await made.workflow("many", workflow(...topics.map((topic) => node(topic, "eventwait", ["start"], params({ topic })))));
  await eachRound(made, "many", async (runId) => {
    const answers = await Promise.all(topics.map((topic) => admin.post(`/api/v2/callback?ref=${runId}&topic=${topic}`, { topic })));
    expect(statuses(answers)).toEqual(topics.map(() => 204));
    const run = await made.run(runId);
    expect(run.status).toBe("succeeded");
    for (const topic of topics) expect(taskOf(run, topic).results[0].value).toEqual({ topic });
  });
});

test("a cancel and the end of the last task at once: the run has one end, and the cancel returns it", async () => {
  const made = await team();
  await made.workflow("works", workflow(node("work", "script", ["start"])));
  await eachRound(made, "works", async (runId, round) => {
    const claim = await made.claim(worker);
    const [, cancel] = (await atOnce<unknown>(
      round,
      () => kit.end(claim),
      () => admin.delete(`${made.path}/workflowrun/${runId}/cancel`),
    )) as [unknown, { status: number }];
    const run = await made.run(runId);
    expect([cancel.status, run.status]).toEqual(cancel.status === 200 ? [200, "cancelled"] : [409, "succeeded"]);
    expect(taskOf(run, "work").attempts).toHaveLength(1);
  });
});

test("a start, a cancel and the engine at once: a queued run begins at most once, and ends cancelled", async () => {
  const made = await team();
  await made.workflow("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "go" }))));
  for (let round = 0; round < rounds; round++) {
    const { id } = await made.submit("waits", {}, "");
    const [start, cancel] = await Promise.all([
      admin.put(`${made.path}/workflowrun/${id}/start`),
      admin.delete(`${made.path}/workflowrun/${id}/cancel`),
      kit.driver.givePlaces(),
    ]);
    expect([200, 409]).toContain(start.status);
    expect(cancel.status).toBe(200);
    expect((await made.run(id)).status).toBe("cancelled");
  }
});
