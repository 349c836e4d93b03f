import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { deleteExpiredEditors } from "../../store/workflow/workflow-editors.ts";

const app = await testApp();
const news: string[] = [];
app.bus.onWake("teams", (payloads) => void news.push(...(payloads ?? ["all"])));

/** A team with the workflow `orders`, and two editors. */
async function world() {
  const team = await app.make.team();
  const path = `/api/v2/team/${team.name}/workflow/orders/editing`;
  const member = async (role: "editor" | "reader" | "owner") => {
    const { token, email } = await app.make.member(team.id, role);
    const client = app.as(token);
    const keep = async (session: string, unsaved?: boolean) => client.put(path, { session, ...(unsaved !== undefined && { unsaved }) });
    return { ...client, email, keep, end: (session: string) => client.delete(`${path}?session=${session}`) };
  };
  const ann = await member("editor");
  await ann.put(`/api/v2/team/${team.name}/workflow`, { name: "orders" });
  /** What the team's stream of changes received in a turn of the event loop. */
  const heard = async (act: () => Promise<unknown>) => {
    await new Promise((resolve) => setImmediate(resolve));
    news.length = 0;
    await act();
    await new Promise((resolve) => setImmediate(resolve));
    return news.filter((one) => one.startsWith(team.id));
  };
  return {
    team,
    path,
    ann,
    bob: await member("owner"),
    reader: await member("reader"),
    heard,
    rows: async () => (await app.sql`select from workflow_editor where team_id = ${team.id}`).length,
  };
}

const names = ({ body }: { body: { editors: { name: string; unsaved: boolean; you: boolean }[] } }) => body.editors;

test("each editor sees the others, with their unsaved changes, and a window of one's own as such", async () => {
  const { ann, bob } = await world();
  expect(await ann.keep("session-of-ann")).toMatchObject({ status: 200, body: { editors: [], seconds: 30 } });
  const [seen] = names(await bob.keep("session-of-bob", true));
  expect(seen).toMatchObject({ unsaved: false, you: false, since: expect.stringMatching(/Z$/) });
  expect(names(await ann.keep("session-of-ann"))).toMatchObject([{ unsaved: true, you: false }]);
  expect(names(await ann.keep("another-window"))).toMatchObject([{ you: true }, { you: false }]);
  expect((await ann.end("session-of-ann")).status).toBe(204);
  expect((await ann.end("session-of-ann")).status).toBe(204);
  expect(names(await ann.keep("another-window"))).toMatchObject([{ you: false }]);
});

test("a session ends 30 seconds after its last heartbeat, by the database's clock, and keeps its start until then", async () => {
  const { ann, bob, rows } = await world();
  await ann.keep("session-of-ann");
  const since = async () => (names(await bob.keep("session-of-bob")) as unknown[] as { since: string }[])[0]?.since;
  const begun = await since();
  await moveTime(app.sql, 20_000);
  await ann.keep("session-of-ann");
  await moveTime(app.sql, 20_000);
  expect(await since()).toBe(begun);
  await moveTime(app.sql, 31_000);
  expect(await since()).toBeUndefined();
  await moveTime(app.sql, 31_000);
  await deleteExpiredEditors(app.sql);
  expect(await rows()).toBe(0);
});

test("other pages are notified when someone joins, leaves or has unsaved changes, and of nothing else", async () => {
  const { team, ann, heard } = await world();
  const told = [`${team.id} editing`];
  expect(await heard(() => ann.keep("session-of-ann"))).toEqual(told);
  expect(await heard(() => ann.keep("session-of-ann"))).toEqual([]);
  expect(await heard(() => ann.keep("session-of-ann", true))).toEqual(told);
  expect(await heard(() => ann.keep("session-of-ann", true))).toEqual([]);
  expect(await heard(() => ann.end("session-of-ann"))).toEqual(told);
  expect(await heard(() => ann.end("session-of-ann"))).toEqual([]);
  expect(await heard(() => ann.post(`/api/v2/team/${team.name}/workflow/orders/preview`, {}))).toEqual([]);
});

test("the number of sessions is limited: a new one replaces the one idle for longest", async () => {
  const { ann, rows } = await world();
  for (let at = 0; at < 14; at++) await ann.keep(`session-${at}`);
  expect(await rows()).toBe(10);
  expect(names(await ann.keep("session-13"))).toHaveLength(9);
});

test("it needs the permission to change the workflow and a valid session id, and leaves no audit record", async () => {
  const { ann, reader, path, team } = await world();
  const other = await app.make.team();
  const outsider = app.as((await app.make.member(other.id, "owner")).token);
  expect((await reader.keep("session-of-reader")).status).toBe(403);
  expect((await outsider.put(path, { session: "session-of-none" })).status).toBe(404);
  expect((await ann.keep("short")).status).toBe(400);
  expect((await ann.keep("x".repeat(65))).status).toBe(400);
  expect((await ann.put(path.replace("orders", "nothing"), { session: "session-of-ann" })).body.reason).toBe("WORKFLOW_INVALID_REFERENCE");
  const audited = async () => (await app.sql`select from audit where team_id = ${team.id}`).length;
  const before = await audited();
  await ann.keep("session-of-ann");
  await ann.end("session-of-ann");
  expect(await audited()).toBe(before);
});

test("it is removed with its workflow", async () => {
  const { ann, team, rows } = await world();
  await ann.keep("session-of-ann");
  await app.sql`delete from workflow where team_id = ${team.id}`;
  expect(await rows()).toBe(0);
});
