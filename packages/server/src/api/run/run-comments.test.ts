import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { transaction } from "../../store/database/transaction.ts";
import { purgeRuns } from "../../store/workflow/workflow-deletion.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

async function teamWithRuns() {
  const made = await team();
  await made.workflow("waits", waits);
  const [open, over] = [await made.submit("waits"), await made.submit("waits")];
  await admin.delete(`${made.path}/workflowrun/${over!.id}/cancel`);
  const at = `${made.path}/workflowrun/${over!.id}`;
  return { ...made, open: `${made.path}/workflowrun/${open!.id}`, at, overId: over!.id, query: `${made.path}/workflowrun/query` };
}

describe("comments on a run", () => {
  test("are listed, counted, and deleted by their author or an owner", async () => {
    const { at, member, query, id } = await teamWithRuns();
    const [one, two, owner, reader] = [await member("editor"), await member("editor"), await member("owner"), await member("reader")];
    expect((await reader.get(at)).body.commentCount).toBeUndefined();
    const first = await one.post(`${at}/comment`, { text: " The API was down \n" });
    expect(first).toMatchObject({ status: 200, body: { text: "The API was down", createdByRef: one.userId } });
    const second = (await two.post(`${at}/comment`, { text: "Fixed" })).body;
    expect((await reader.get(`${at}/comment`)).body).toMatchObject({
      totalElements: 2,
      content: [{ text: "The API was down" }, { text: "Fixed" }],
    });
    expect((await reader.get(at)).body.commentCount).toBe(2);
    expect((await reader.get(`${query}?limit=5`)).body.content.map((run: { commentCount?: number }) => run.commentCount)).toEqual([
      undefined,
      2,
    ]);
    expect((await one.delete(`${at}/comment/${second.id}`)).status).toBe(403);
    expect((await one.delete(`${at}/comment/${first.body.id}`)).status).toBe(204);
    expect((await owner.delete(`${at}/comment/${second.id}`)).status).toBe(204);
    expect((await owner.delete(`${at}/comment/${second.id}`)).status).toBe(404);
    const records =
      await app.sql`select action from audit where team_id = ${id} and (after->>'comment' is not null or before->>'comment' is not null)`;
    expect(records.length).toBe(4);
  });

  test("need the permission to act on the run, and are limited", async () => {
    const { at, member, id, overId } = await teamWithRuns();
    expect((await (await member("reader")).post(`${at}/comment`, { text: "x" })).status).toBe(403);
    expect((await (await outsider()).get(`${at}/comment`)).status).toBe(404);
    for (const text of ["", "  ", "x".repeat(4001)]) expect((await admin.post(`${at}/comment`, { text })).status).toBe(400);
    await app.sql`
      insert into run_comment (team_id, run_id, text, created_by, creator_name)
      select ${id}, ${overId}, 'x', 'user:x', 'X' from generate_series(1, 200)`;
    expect((await admin.post(`${at}/comment`, { text: "one more" })).status).toBe(409);
  });

  test("go with the run", async () => {
    const { at, id, overId } = await teamWithRuns();
    await admin.post(`${at}/comment`, { text: "x" });
    await admin.put(`${at}/acknowledgement`, {});
    await transaction(app.sql, (tx) => purgeRuns(tx, id, [overId]));
    expect(
      await app.sql`select id from run_comment where team_id = ${id} union all select run_id from run_acknowledgement where team_id = ${id}`,
    ).toEqual([]);
  });
});

describe("the acknowledgement of a failure", () => {
  test("is shown, filtered by, and released", async () => {
    const { at, open, member, query } = await teamWithRuns();
    const editor = await member("editor");
    const total = async (more: string) => (await admin.get(`${query}?${more}`)).body.totalElements;
    expect([await total("acknowledged=true"), await total("acknowledged=false&statuses=cancelled")]).toEqual([0, 1]);
    const { body } = await editor.put(`${at}/acknowledgement`, { text: "Looking at it" });
    expect(body.acknowledgement).toMatchObject({ byRef: editor.userId, text: "Looking at it" });
    expect([await total("acknowledged=true"), await total("acknowledged=false&statuses=cancelled")]).toEqual([1, 0]);
    expect((await admin.get(`${query.replace("query", "count")}?acknowledged=true`)).body.status).toMatchObject({ all: 1, cancelled: 1 });
    expect((await admin.put(`${at}/acknowledgement`)).body.acknowledgement.byName).toBe("admin token");
    expect((await editor.delete(`${at}/acknowledgement`)).body.acknowledgement).toBeUndefined();
    expect((await editor.delete(`${at}/acknowledgement`)).status).toBe(200);
    expect((await editor.put(`${open}/acknowledgement`)).status).toBe(409);
    expect((await (await member("reader")).put(`${at}/acknowledgement`)).status).toBe(403);
  });
});
