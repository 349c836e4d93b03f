import { describe, expect, test } from "vitest";
import { moveTime } from "../../../test/kit/database.ts";
import { eventKit, eventPath } from "../../../test/kit/inbound/event-kit.ts";
import { deleteOldIdempotencyKeys } from "../../store/database/idempotency.ts";

/** Events that arrive twice, under a key, or many in one request. */
const { app, teamWith, newEvent, send, runsOf } = await eventKit();

describe("the same event", () => {
  test("gets the first answer again, from whichever credential of the team, and starts nothing more", async () => {
    const { team, id, token } = await teamWith("build");
    const event = newEvent({ data: { a: 1 } });
    const first = await send(event, `?ref=${id}`, token);
    const member = (await app.make.member(team.id, "editor")).token;
    for (const again of [token, member]) expect((await send({ ...event, data: { a: 2 } }, "?ref=build", again)).body).toEqual(first.body);
    const all = await send(event, "", token);
    expect((await send(event, "", token)).body).toEqual(all.body);
    expect(await runsOf(team.id)).toHaveLength(2);
    for (const change of [{ id: "other" }, { source: "/other" }])
      expect((await send({ ...event, ...change }, `?ref=${id}`, token)).status).toBe(200);
    expect(await runsOf(team.id)).toHaveLength(4);
    expect(await app.sql`select 1 from audit where team_id = ${team.id} and action = 'event/write'`).toHaveLength(4);
    expect(await app.sql`select 1 from audit where object_kind = 'event'`).toHaveLength(0);
  });

  test("is another one in another team", async () => {
    const [one, two] = [await teamWith("build"), await teamWith("build")];
    const event = newEvent();
    const answers = [await send(event, "?ref=build", one.token), await send(event, "?ref=build", two.token)];
    expect(answers.map(({ body }) => body.workflowRef)).toEqual([one.id, two.id]);
  });

  test("may come again when it was refused", async () => {
    const { id, token } = await teamWith("build", {}, {});
    const event = newEvent();
    expect((await send(event, `?ref=${id}`, token)).status).toBe(409);
    await app.sql`update workflow set triggers = '{"event":{"enabled":true}}' where id = ${id}`;
    expect((await send(event, `?ref=${id}`, token)).status).toBe(200);
  });

  test("many times at once starts one run, and all get the same answer", async () => {
    const { team, id, token } = await teamWith("build");
    for (const query of [`?ref=${id}`, ""]) {
      const event = newEvent();
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(event, query, token)));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect(await runsOf(team.id)).toHaveLength(2);
  });

  test("among different ones at once: all share statements, and each starts one run", async () => {
    const { team, id, token } = await teamWith("build");
    const answered = newEvent();
    const first = (await send(answered, `?ref=${id}`, token)).body;
    const fresh = Array.from({ length: 60 }, () => newEvent());
    const together = await Promise.all(fresh.map((event) => send(event, `?ref=${id}`, token)));
    expect(together.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(await statementsOf(team.id)).toMatchObject({ runs: 61, keys: 61 });
    expect((await statementsOf(team.id))?.statements).toBeLessThan(30);

    // One that was answered already, and one that comes twice, are with others in a statement, which they must not break.
    const more = Array.from({ length: 20 }, () => newEvent());
    const answers = await Promise.all([...more, answered, more[7]!, ...fresh.slice(0, 5)].map((event) => send(event, `?ref=${id}`, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(27).fill(200));
    expect(answers[20]?.body).toEqual(first);
    expect(answers[21]?.body).toEqual(answers[7]?.body);
    expect(answers.slice(22).map(({ body }) => body)).toEqual(together.slice(0, 5).map(({ body }) => body));
    expect(await statementsOf(team.id)).toMatchObject({ runs: 81, keys: 81 });
  });

  test("is a new one after 24 hours", async () => {
    const { team, id, token } = await teamWith("build");
    const [event, other] = [newEvent(), newEvent()];
    for (const one of [event, other]) await send(one, `?ref=${id}`, token);
    await moveTime(app.sql, 24 * 3600 * 1000 + 1000);
    await send(event, `?ref=${id}`, token);
    await deleteOldIdempotencyKeys(app.sql);
    const kept = await app.sql`select 1 from idempotency where principal = ${`delivery:${team.id}/${id}`}`;
    expect(kept).toHaveLength(1);
    expect(await runsOf(team.id)).toHaveLength(3);
    await moveTime(app.sql, -(24 * 3600 * 1000 + 1000));
  });
});

describe("Idempotency-Key", () => {
  test("works beside the event's own id, and covers the attributes in headers", async () => {
    const { team, id, token } = await teamWith("build");
    const client = app.as(token);
    const binary = (eventId: string) => ({
      "ce-specversion": "1.0",
      "ce-source": "/shop",
      "ce-type": "t",
      "ce-id": eventId,
      "idempotency-key": "k1",
    });
    const first = await client.post(`${eventPath}?ref=${id}`, { a: 1 }, binary("k-1"));
    const again = await client.post(`${eventPath}?ref=${id}`, { a: 1 }, binary("k-1"));
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { "idempotency-replayed": "true" } });
    expect((await client.post(`${eventPath}?ref=${id}`, { a: 1 }, binary("k-2"))).status).toBe(409);
    expect(await runsOf(team.id)).toHaveLength(1);
  });
});

describe("a batch", () => {
  const batch = (events: unknown, query = "", token?: string) =>
    app.as(token).post(eventPath + query, events, { "content-type": "application/cloudevents-batch+json" });

  test("delivers each of its events", async () => {
    const { team, id, token } = await teamWith("build");
    const events = [newEvent({ subject: "/build" }), newEvent(), newEvent({ subject: `/${id}/topic` })];
    const answer = await batch(events, "", token);
    expect(answer.body.runs).toHaveLength(3);
    expect((await batch(events, "", token)).body).toEqual(answer.body);
    expect((await batch([], "", token)).body).toEqual({ runs: [], refused: [] });
    expect(await runsOf(team.id)).toHaveLength(3);
  });

  test("many times at once, each time in another order, starts one run for each of its events", { timeout: 30_000 }, async () => {
    const { team, token } = await teamWith("build");
    const events = Array.from({ length: 6 }, () => newEvent({ subject: "/build" }));
    const orders = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? events : [...events].reverse()));
    const answers = await Promise.all(orders.map((order) => batch(order, "", token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(
      new Set(
        answers.map(({ body }) =>
          body.runs
            .map(({ id }: { id: string }) => id)
            .sort()
            .join(),
        ),
      ).size,
    ).toBe(1);
    expect(await runsOf(team.id)).toHaveLength(events.length);
  });

  test("with a repeated event starts one run for it", async () => {
    const { team, token } = await teamWith("build");
    const event = newEvent({ subject: "/build" });
    const { body } = await batch([event, event], "", token);
    expect(body.runs[1].id).toBe(body.runs[0].id);
    expect(await runsOf(team.id)).toHaveLength(1);
  });

  test("is delivered as a whole or not at all, and the error names the bad event", async () => {
    const { team, id, token } = await teamWith("build");
    expect(await batch([newEvent(), { ...newEvent(), id: undefined }], `?ref=${id}`, token)).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/1/id" }] },
    });
    const event = newEvent({ subject: "/build" });
    expect(await batch([event, newEvent({ subject: "/nope" })], "", token)).toMatchObject({
      status: 404,
      body: { reason: "WORKFLOW_INVALID_REFERENCE", errors: [{ path: "1" }] },
    });
    expect(await runsOf(team.id)).toEqual([]);
    expect((await batch([event], "", token)).body.runs).toHaveLength(1);
    expect(
      (
        await batch(
          Array.from({ length: 101 }, () => newEvent()),
          `?ref=${id}`,
          token,
        )
      ).status,
    ).toBe(400);
  });
});

test("an event that was answered gets that answer again, even if its workflow accepts no more", async () => {
  const { team, id, token } = await teamWith("build");
  const event = newEvent();
  const first = await send(event, `?ref=${id}`, token);
  expect(first.status).toBe(200);
  await app.sql`update team set max_workflow_run_monthly = 1 where id = ${team.id}`;
  expect(await send(event, `?ref=${id}`, token)).toMatchObject({ status: 200, body: first.body });
  expect(await send(newEvent(), `?ref=${id}`, token)).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
  await app.sql`update workflow set status = 'inactive' where id = ${id}`;
  expect(await send(event, `?ref=${id}`, token)).toMatchObject({ status: 200, body: first.body });
  await app.sql`update idempotency set created_at = created_at - interval '25 hours' where principal like ${`%${id}`}`;
  expect((await send(event, `?ref=${id}`, token)).status).toBe(409);
});

async function statementsOf(teamId: string): Promise<{ runs: number; statements: number; keys: number } | undefined> {
  const [found] = await app.sql<{ runs: number; statements: number; keys: number }[]>`
    select count(*)::int as runs, count(distinct r.xmin::text)::int as statements,
      (select count(*)::int from idempotency where principal like ${`delivery:${teamId}/%`} and status = 200) as keys
    from run r where r.team_id = ${teamId}`;
  return found;
}
