import { expect, test } from "vitest";
import { runKit } from "../../../test/kit/run-kit.ts";
import { until } from "../../../test/kit/until.ts";
import { transaction } from "../../store/database/transaction.ts";
import { deleteView } from "../../store/run/lists/run-views.ts";

const { app, team, outsider } = await runKit();
const filter = { statuses: ["failed"], labels: { stage: "test" }, since: "24h", search: "A-2345" };
const failed = { name: "Failed today", scope: "own", filter, order: "DESC", limit: 50, columns: ["status", "duration"] };

test("personal views are private, and those of the team are changed by editors", async () => {
  const { path, member, id } = await team();
  const at = `${path}/workflowrun/view`;
  const [reader, editor, other] = [await member("reader"), await member("editor"), await member("editor")];
  const own = await reader.post(at, failed);
  expect(own).toMatchObject({ status: 200, body: { ...failed, mayChange: true } });
  expect((await reader.post(at, { ...failed, name: "failed TODAY" })).status).toBe(409);
  expect((await reader.post(at, { ...failed, scope: "team" })).status).toBe(403);
  const shared = (await editor.post(at, { ...failed, scope: "team" })).body;
  const names = async (client: typeof reader) =>
    (await client.get(at)).body.views.map(({ scope, mayChange }: { scope: string; mayChange: boolean }) => `${scope} ${mayChange}`);
  expect(await names(reader)).toEqual(["team false", "own true"]);
  expect(await names(other)).toEqual(["team true"]);
  expect((await other.put(`${at}/${shared.id}`, { ...failed, scope: "team", name: "Renamed" })).body.name).toBe("Renamed");
  expect((await reader.put(`${at}/${shared.id}`, { ...failed, scope: "team" })).status).toBe(403);
  expect((await reader.delete(`${at}/${shared.id}`)).status).toBe(403);
  expect((await other.delete(`${at}/${own.body.id}`)).status).toBe(404);
  expect((await (await outsider()).get(at)).status).toBe(404);
  expect((await reader.delete(`${at}/${own.body.id}`)).status).toBe(204);
  expect((await editor.delete(`${at}/${shared.id}`)).status).toBe(204);
  expect((await app.sql`select from audit where team_id = ${id} and object_kind = 'runview'`).length).toBe(5);
});

test("a default view is a reader's choice alone, and ends with the view", async () => {
  const { path, member } = await team();
  const at = `${path}/workflowrun/view`;
  const [reader, editor] = [await member("reader"), await member("editor")];
  const shared = (await editor.post(at, { ...failed, scope: "team" })).body;
  const own = (await reader.post(at, failed)).body;
  expect([shared.isDefault, own.isDefault]).toEqual([false, false]);
  const defaults = async (client: typeof reader) =>
    (await client.get(at)).body.views.filter((one: { isDefault: boolean }) => one.isDefault).map(({ scope }: { scope: string }) => scope);
  expect((await reader.put(`${at}/${own.id}/default`)).status).toBe(204);
  expect((await reader.put(`${at}/${shared.id}/default`)).status).toBe(204);
  expect([await defaults(reader), await defaults(editor)]).toEqual([["team"], []]);
  expect((await editor.put(`${at}/${own.id}/default`)).status).toBe(404);
  expect((await reader.put(`${at}/odd/default`)).status).toBe(404);
  expect((await reader.delete(`${at}/${own.id}/default`)).status).toBe(204);
  expect(await defaults(reader)).toEqual(["team"]);
  expect((await editor.put(`${at}/${shared.id}`, { ...failed, scope: "own" })).body).toMatchObject({ isDefault: false });
  expect(await defaults(reader)).toEqual([]);
  expect((await editor.put(`${at}/${shared.id}`, { ...failed, scope: "team" })).status).toBe(200);
  expect((await reader.delete(`${at}/${shared.id}/default`)).status).toBe(204);
  expect(await defaults(reader)).toEqual([]);
  await reader.put(`${at}/${shared.id}/default`);
  expect((await editor.delete(`${at}/${shared.id}`)).status).toBe(204);
  expect(await defaults(reader)).toEqual([]);
});

test.each(["", "/default"])("a view that is deleted at the same moment is not found by PUT …/{id}%s", async (end) => {
  const { id: teamId, path } = await team();
  const admin = app.as();
  const view = { ...failed, scope: "team" };
  const { id } = (await admin.post(`${path}/workflowrun/view`, view)).body;
  let answer: ReturnType<typeof admin.put> | undefined;
  await transaction(app.sql, async (tx) => {
    await deleteView(tx, teamId, id);
    answer = admin.put(`${path}/workflowrun/view/${id}${end}`, end === "" ? view : undefined);
    const isWaiting = async () =>
      (await app.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length > 0;
    await until(isWaiting, "the request waits for the view");
  });
  expect((await answer)?.status).toBe(404);
});

test("the number and size of views are limited", async () => {
  const { path } = await team();
  const at = `${path}/workflowrun/view`;
  const admin = app.as();
  for (const bad of [
    { ...failed, name: " " },
    { ...failed, scope: "all" },
    { ...failed, columns: Array.from({ length: 51 }, () => "x") },
    { name: "x" },
  ])
    expect((await admin.post(at, bad)).status).toBe(400);
  for (let n = 0; n < 50; n++) expect((await admin.post(at, { ...failed, name: `View ${n}` })).status).toBe(200);
  expect((await admin.post(at, failed)).status).toBe(409);
  expect((await admin.post(at, { ...failed, scope: "team" })).status).toBe(200);
});
