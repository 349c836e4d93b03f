import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { type Follower, followStream } from "../../../test/kit/follow-stream.ts";
import { CountingBus } from "../../../test/kit/run/counting-bus.ts";
import { runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const bus = new CountingBus();
const { app, kit, team } = await runKit({ services: { bus } });
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
});

const chain = workflow(node("work", "script", ["start"]));

/** A reader of the team's changes, with their open stream. */
async function watching(headers: Record<string, string> = {}) {
  const made = await team();
  await made.workflow("works", chain);
  const { id: userId, token } = await app.make.member(made.id, "reader");
  const stream = await followStream(port, `${made.path}/changes`, token, headers);
  await stream.until("retry:");
  return { ...made, userId, token, stream };
}

const eventsOf = ({ text }: Follower, name: string) =>
  [...text.matchAll(new RegExp(`event: ${name}\\ndata: (.*)\\n`, "g"))].map(([, data]) => JSON.parse(data as string));

describe("the stream of a team's changes", () => {
  test("reports when a run is submitted, changes and ends, with its status", async () => {
    const { stream, submit, claim } = await watching();
    expect(stream.response.headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
    const { id } = await submit("works");
    await stream.until(`"id":"${id}","status":"running"`);
    await kit.end(await claim(await kit.worker()));
    await stream.until(`"id":"${id}","status":"succeeded","phase":"completed"`);
    stream.request.destroy();
  });

  test("names the kind of object that was written in the team", async () => {
    const { stream, path } = await watching();
    await app.as().patch(path, { displayName: "Renamed" });
    await stream.until('{"kind":"team"}');
    const answer = await app.as().post(`${path}/workflow`, { name: "another", tasks: [] });
    expect(answer.status, answer.text).toBe(200);
    await stream.until('{"kind":"workflow"}');
    stream.request.destroy();
  });

  test("reports a proposed version to the inbox, and its publication to readers of the workflow", async () => {
    const { stream, path, id, member } = await watching();
    const [author, approver] = [await member("editor"), await member("editor")];
    await setApproverGroup(app.sql, id, "releasers", [approver.userId]);
    await app.as().post(`${path}/workflow`, { name: "guarded", tasks: [] });
    expect((await app.as().put(`${path}/workflow/guarded/protection`, { approverGroup: "releasers" })).status).toBe(200);
    await stream.until('{"kind":"workflow"}');
    const { body } = await author.put(`${path}/workflow`, { name: "guarded", tasks: [], retries: 2 });
    expect(body.reason).toBe("WORKFLOW_PROTECTED");
    await stream.until('{"kind":"action"}');
    const told = () => eventsOf(stream, "change").filter(({ kind }) => kind === "workflow").length;
    const before = told();
    expect((await approver.put(`${path}/action`, [{ id: body.errors[0].message, approved: true }])).status).toBe(204);
    await until(() => told() > before, "news of the new version");
    stream.request.destroy();
  });

  test("says nothing of other teams", async () => {
    const { stream, path } = await watching();
    const other = await team();
    await other.workflow("theirs", chain);
    const { id } = await other.submit("theirs");
    await app.as().patch(other.path, { displayName: "Renamed" });
    await app.as().patch(path, { displayName: "Mine" });
    await stream.until('{"kind":"team"}');
    expect(stream.text).not.toContain(id);
    expect(eventsOf(stream, "change")).toEqual([{ kind: "team" }]);
    stream.request.destroy();
  });

  test("asks a reader who reconnects to reload everything", async () => {
    const { stream } = await watching({ "last-event-id": "7" });
    await stream.until("event: reset\ndata: {}");
    stream.request.destroy();
  });

  test("asks to reload everything when the names of changes were lost", async () => {
    const { stream } = await watching();
    app.bus.deliver("runs", undefined);
    await stream.until("event: reset\ndata: {}");
    stream.request.destroy();
  });

  test("ends for a removed member, at the next change", async () => {
    const { stream, path, userId } = await watching();
    const { status } = await app.as().delete(`${path}/members`, [{ id: userId }]);
    expect(status).toBe(204);
    expect(await stream.ended).toBe(false);
    expect(eventsOf(stream, "change")).toEqual([]);
  });

  test("frees everything when its reader disconnects", async () => {
    const before = bus.listening;
    const { stream } = await watching();
    expect(bus.listening).toBeGreaterThan(before);
    stream.request.destroy();
    await until(() => bus.listening === before, "nobody listens for the reader any more");
  });
});

test("an outsider gets 'no such team', and a token without the permission to read runs gets the reason", async () => {
  const made = await team();
  const outsider = app.as((await app.make.member((await app.make.team()).id, "owner")).token);
  expect(await outsider.get(`${made.path}/changes`)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
  const narrow = app.as(await app.make.teamToken(made.id, ["task/read"]));
  expect((await narrow.get(`${made.path}/changes`)).body.message).toContain("workflowrun/read");
});
