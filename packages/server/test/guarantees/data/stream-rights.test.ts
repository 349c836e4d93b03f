import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { streamCheckMs, streamFreshMs } from "../../../src/http/admit/stream-guard.ts";
import { moveTime } from "../../kit/database.ts";
import { followStream } from "../../kit/follow-stream.ts";
import { runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
});

interface Reader {
  teamId: string;
  userId: string;
  token: string;
  paths: { team: string; log: string };
}

async function reader(): Promise<Reader> {
  const made = await team();
  await made.workflow("works", workflow(node("work", "script", ["start"])));
  await made.submit("works");
  const { id: taskRunId } = await made.claim(await kit.worker());
  const { id: userId, token } = await app.make.member(made.id, "reader");
  return { teamId: made.id, userId, token, paths: { team: made.path, log: `/api/v2/taskrun/${taskRunId}/log` } };
}

/** As another process would do it, so that this process gets no notification. */
const elsewhere: [string, (reader: Reader) => Promise<unknown>][] = [
  ["the role is removed", ({ teamId, userId }) => app.sql`delete from team_member where team_id = ${teamId} and user_id = ${userId}`],
  ["the user is deactivated", ({ userId }) => app.sql`update app_user set status = 'inactive' where id = ${userId}`],
  ["the user is deleted", ({ userId }) => app.sql`delete from app_user where id = ${userId}`],
  ["the token or session is revoked", ({ userId }) => app.sql`delete from token where user_id = ${userId}`],
  ["the token or session has expired", ({ userId }) => app.sql`update token set expires_at = db_now() where user_id = ${userId}`],
  ["the token is narrowed", ({ userId }) => app.sql`update token set permissions = '{}' where user_id = ${userId}`],
];
const here: [string, (reader: Reader) => Promise<{ status: number }>][] = [
  ["the role is removed", ({ userId, paths }) => admin.delete(`${paths.team}/members`, [{ id: userId }])],
  ["the user is deactivated", ({ userId }) => admin.patch(`/api/v2/user/${userId}`, { status: "inactive" })],
];
const streams: [string, (reader: Reader) => string, isOfTeam: boolean][] = [
  ["a log that is followed", ({ paths }) => paths.log, true],
  ["the changes of a team", ({ paths }) => `${paths.team}/changes`, true],
  ["the changes of everything", () => "/api/v2/changes", false],
];

/** Ends only with the credential: a user in no team still gets changes of the instance. */
const needsTeam = /role|narrowed/;

describe.each(streams)("%s", (_, pathOf, isOfTeam) => {
  const fits = ([why]: [string, unknown]) => isOfTeam || !needsTeam.test(why);

  test.each(elsewhere.filter(fits))("is cut off when in another process %s, even if idle", async (_why, end) => {
    const one = await reader();
    const stream = await followStream(port, pathOf(one), one.token);
    await end(one);
    expect(await stream.ended).toBe(false);
  });

  test.each(here.filter(fits))("is cut off at once when in this process %s", async (_why, end) => {
    const one = await reader();
    const stream = await followStream(port, pathOf(one), one.token);
    expect((await end(one)).status).toBeLessThan(300);
    expect(await stream.ended).toBe(false);
  });

  test("is cut off when its session expires by idleness, and continues for others", async () => {
    const [one, other] = [await reader(), await reader()];
    const stays = await followStream(port, pathOf(other), other.token);
    await app.sql`update token set idle_seconds = 60, kind = 'session' where user_id = ${one.userId}`;
    const stream = await followStream(port, pathOf(one), one.token);
    await moveTime(app.sql, 61_000);
    expect(await stream.ended).toBe(false);
    expect(stays.response.destroyed).toBe(false);
    stays.request.destroy();
  });

  test("is cut off for a reader that does not read", async () => {
    const one = await reader();
    const stream = await followStream(port, pathOf(one), one.token);
    stream.response.pause();
    await app.sql`delete from token where user_id = ${one.userId}`;
    // A paused response does not report its end: the server's side of the connection does.
    const closed = new Promise((resolve) => stream.request.socket?.once("close", resolve));
    stream.response.resume();
    await closed;
  });
});

test("is checked often enough for the promised two seconds", () => expect(streamCheckMs + streamFreshMs).toBeLessThan(2000));
