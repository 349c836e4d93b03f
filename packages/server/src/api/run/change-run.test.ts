import { expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { closeMonth, reopenMonth } from "../../store/history/history-removal.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" })));

async function over() {
  const made = await team();
  await made.workflow("sets", sets);
  const { id } = await made.submit("sets", { labels: { a: "1", b: "2" } });
  return { ...made, id, at: `${made.path}/workflowrun/${id}` };
}

test("labels are merged, null removes one, and the rest of the run stays unchanged", async () => {
  const { at } = await over();
  const read = async () => (await admin.get(`${at}?withTasks=false`)).body;
  const before = await read();
  const { status, body } = await admin.patch(at, { labels: { keep: "true", a: null, b: "3" } });
  expect(status).toBe(200);
  expect(body.labels).toMatchObject({ keep: "true", b: "3" });
  expect(body.labels.a).toBeUndefined();
  expect({ ...(await read()), labels: before.labels }).toEqual(before);
});

test("a list by labels follows them at once", async () => {
  const { id, at, path } = await over();
  const kept = async () => (await admin.get(`${path}/workflowrun/query?labels=keep%3Dtrue&limit=5&page=0`)).body;
  expect((await kept()).totalElements).toBe(0);
  await admin.patch(at, { labels: { keep: "true" } });
  expect(await kept()).toMatchObject({ totalElements: 1, content: [{ id }] });
});

test("the audit log has the labels before and after", async () => {
  const { id, at } = await over();
  await admin.patch(at, { labels: { keep: "true" } });
  const [row] = await app.sql`select before -> 'labels' ->> 'keep' as before, after -> 'labels' ->> 'keep' as after
    from audit where object_id = ${id} and before is not null`;
  expect(row).toEqual({ before: null, after: "true" });
});

test.each([
  ["no labels", {}],
  ["a label that is not text", { labels: { keep: true } }],
  ["a name that is not a label", { labels: { "": "x" } }],
])("%s is refused", async (_, body) => {
  const { at } = await over();
  expect(await admin.patch(at, body)).toMatchObject({ status: 400, body: { reason: expect.any(String) } });
});

test("needs the permission to act on runs of the team", async () => {
  const { id, at, member } = await over();
  const body = { labels: { keep: "true" } };
  expect((await app.as(null).patch(at, body)).status).toBe(401);
  expect((await (await outsider()).patch(at, body)).status).toBe(404);
  expect((await (await member("reader")).patch(at, body)).status).toBe(403);
  expect((await admin.patch(`${(await team()).path}/workflowrun/${id}`, body)).status).toBe(404);
  expect((await (await member("editor")).patch(at, body)).status).toBe(200);
});

test("a run whose removal has begun can't be kept any more", async () => {
  const { id, at } = await over();
  const month = new Date().toISOString().slice(0, 7).replace("-", "");
  await closeMonth(app.sql, month);
  expect(await admin.patch(at, { labels: { keep: "true" } })).toMatchObject({
    status: 410,
    body: { code: 1307, reason: "WORKFLOWRUN_BEING_REMOVED", message: expect.stringContaining(id) },
  });
  expect((await admin.patch(at, { labels: { c: "4" } })).status).toBe(200);
  await reopenMonth(app.sql, month);
  expect((await admin.patch(at, { labels: { keep: "true" } })).status).toBe(200);
});
