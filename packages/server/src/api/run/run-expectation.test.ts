import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

/** An open run that has been running for so many minutes. */
async function openRun(annotations: Record<string, string>, minutes: number) {
  const made = await team();
  await made.workflow("waits", waits);
  await app.sql`update workflow set annotations = ${JSON.stringify(annotations)}::json where team_id = ${made.id}`;
  const { id } = (await made.submit("waits"))!;
  const back = `${minutes} minutes`;
  await app.sql`
    update run set created_at = created_at - ${back}::interval, started_at = started_at - ${back}::interval where id = ${id}`;
  const at = `${made.path}/workflowrun/${id}/expectation`;
  return { ...made, id, at, read: async () => (await admin.get(at)).body };
}

describe("the expectation of a run", () => {
  test("is late beyond the expected duration of its workflow, counted from its start", async () => {
    const { read, path } = await openRun({ "millrace.dev/expected-duration": "4m" }, 12);
    expect(await read()).toMatchObject({ expectedDuration: 240_000, late: { limit: "expected" } });
    expect((await admin.get(`${path}/workflow/waits/overview`)).body.usual).toMatchObject({ expected: 240_000 });
    const { late } = (await admin.get("/api/v2/overview")).body;
    expect(late).toMatchObject([{ limit: "expected", expectedDuration: 240_000 }]);
  });

  test("is late by the earliest limit, and not once it has ended", async () => {
    const { read, path, id } = await openRun({ "millrace.dev/expected-duration": "5m", "millrace.dev/deadline": "3m" }, 12);
    expect(await read()).toMatchObject({ expectedDuration: 300_000, deadline: 180_000, late: { limit: "deadline" } });
    await admin.delete(`${path}/workflowrun/${id}/cancel`);
    expect((await read()).late).toBeUndefined();
  });

  test("of a run on time says what is known", async () => {
    expect(await (await openRun({ "millrace.dev/expected-duration": "1h" }, 12)).read()).toEqual({ expectedDuration: 3_600_000 });
    expect(await (await openRun({}, 500)).read()).toEqual({});
    expect(await (await openRun({ "millrace.dev/deadline": "none", "millrace.dev/expected-duration": "1m" }, 12)).read()).toEqual({
      expectedDuration: 60_000,
    });
  });

  test("is refused where it can't be read, with a value that is no duration, and to others", async () => {
    const { at, path } = await openRun({}, 1);
    const body = { name: "late", tasks: [], annotations: { "millrace.dev/expected-duration": "soon" } };
    const refused = await admin.post(`${path}/workflow`, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("it must be a duration from 1s");
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await admin.get(at.replace(/[^/]+\/expectation$/, "unknown/expectation"))).status).toBe(404);
  });
});
