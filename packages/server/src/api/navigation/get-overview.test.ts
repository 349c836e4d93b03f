import { describe, expect, test } from "vitest";
import { params, runKit, type TestTeam } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { setApproverGroup, setMembers } from "../../store/team/members.ts";

const { app, team } = await runKit();
const overview = async (client: ReturnType<typeof app.as>, query = "") => (await client.get(`/api/v2/overview${query}`)).body;

/** A run of that team waits for a decision. */
async function waiting(made: TestTeam, name: string, values: Record<string, unknown> = {}) {
  await made.workflow(name, workflow(node("ask", "approval", ["start"], params(values))));
  return made.submit(name);
}

const nothingOnCall = { waits: {}, failures: [], late: [], nextRuns: [], favourites: [] };

describe("GET overview", () => {
  test("counts what the caller's teams have, and lists what runs there, the latest first", async () => {
    const [first, second] = [await team(), await team()];
    const editor = await first.member("editor");
    await setMembers(app.sql, second.id, [{ userId: editor.userId, role: "reader" }]);
    const older = await waiting(first, "older");
    const newer = await waiting(second, "newer");
    const { teams, totalTeams, runs } = await overview(editor);
    expect(totalTeams).toBe(2);
    expect(teams.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort());
    for (const one of teams) expect(one).toMatchObject({ workflows: 1, members: 1, openActions: 1, runningRuns: 0, status: "active" });
    expect(runs.map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id]);
    expect(runs[0]).toMatchObject({ workflowName: "newer", status: "running", awaitingApproval: true, duration: 0 });
    expect((await overview(editor, "?limit=1")).runs).toHaveLength(1);
  });

  test("shows nothing of a team that the caller is not in", async () => {
    const [own, foreign] = [await team(), await team()];
    await waiting(foreign, "theirs");
    const owner = await own.member("owner");
    expect(await overview(owner)).toMatchObject({ teams: [{ id: own.id, openActions: 0 }], actions: [], runs: [] });
    const nobody = app.as(await app.make.userToken((await app.make.user()).id));
    expect(await overview(nobody)).toMatchObject({ ...{ teams: [], totalTeams: 0, actions: [], runs: [] }, ...nothingOnCall });
    const narrowed = app.as(await app.make.teamToken(foreign.id, ["team/read", "workflow/read"]));
    expect(await overview(narrowed)).toMatchObject({ teams: [{ id: foreign.id }], actions: [], runs: [] });
  });

  test("shows all teams to callers who may read them, and nothing without a credential", async () => {
    const made = await team();
    const { teams } = await overview(app.as());
    expect(teams.map(({ id }: { id: string }) => id)).toContain(made.id);
    expect((await app.as(null).get("/api/v2/overview")).status).toBe(401);
    expect((await app.as().get("/api/v2/overview?limit=51")).status).toBe(400);
  });
});

describe("the actions that wait for the caller", () => {
  test("are those that the caller may decide, by role or by group", async () => {
    const made = await team();
    const [editor, reader] = [await made.member("editor"), await made.member("reader")];
    await setApproverGroup(app.sql, made.id, "readers", [reader.userId]);
    await waiting(made, "anyone");
    await waiting(made, "grouped", { approverGroupId: "readers" });
    for (const [client, name] of [
      [editor, "anyone"],
      [reader, "grouped"],
    ] as const) {
      expect((await overview(client)).actions.map(({ workflowName }: { workflowName: string }) => workflowName)).toEqual([name]);
      const mine = (await client.get(`${made.path}/action/query?mine=true`)).body;
      expect(mine).toMatchObject({ totalElements: 1, content: [{ workflowName: name }] });
    }
    expect((await reader.get(`${made.path}/action/query?mine=false`)).body.totalElements).toBe(2);
  });

  test("are not those the caller has voted on, nor those of the caller's own runs where that is not allowed", async () => {
    const made = await team();
    const [requester, other] = [await made.member("editor"), await made.member("editor")];
    await made.workflow(
      "own",
      workflow(node("ask", "approval", ["start"], params({ requesterMayNotApprove: true, numberOfApprovers: 2 }))),
    );
    await requester.post(`${made.path}/workflow/own/submit?start=true`, {});
    expect((await overview(requester)).actions).toEqual([]);
    const [{ id }] = (await overview(other)).actions;
    await other.put(`${made.path}/action`, [{ id, approved: true }]);
    expect((await overview(other)).actions).toEqual([]);
  });
});

describe("what needs attention", () => {
  test("failures of the last day are grouped by workflow, so that a noisy one takes one line", async () => {
    const made = await team();
    const reader = await made.member("reader");
    for (const name of ["noisy", "quiet"])
      await made.workflow(name, workflow(node("work", "script", ["start"], params({ script: "echo" }))));
    const runs = [await made.submit("quiet"), await made.submit("noisy"), await made.submit("noisy")];
    const end = (id: string, at: string) => app.sql`
      update run set status = 'failed', phase = 'completed', status_message = 'broke', activity = 'none', active_since = null,
        ended_at = db_now() - ${at}::interval where id = ${id}`;
    await end(runs[0]!.id, "3 hours");
    await end(runs[1]!.id, "2 hours");
    await end(runs[2]!.id, "1 hour");
    expect((await overview(reader)).failures).toMatchObject([
      { workflowName: "noisy", failed: 2, run: runs[2]!.id, message: "broke" },
      { workflowName: "quiet", failed: 1, run: runs[0]!.id },
    ]);
    await end(runs[0]!.id, "25 hours");
    expect((await overview(reader)).failures).toMatchObject([{ workflowName: "noisy" }]);
    const narrowed = app.as(await app.make.teamToken(made.id, ["team/read", "workflow/read"]));
    expect(await overview(narrowed)).toMatchObject(nothingOnCall);
  });

  test("runs that wait are counted by what they wait for, and one beyond its deadline is late", async () => {
    const made = await team();
    const reader = await made.member("reader");
    const flow = workflow(node("ask", "approval", ["start"]));
    await made.workflow("slow", flow);
    await made.workflow("other", workflow(node("ear", "eventwait", ["start"], params({ topic: "go" }))));
    const [late] = [await made.submit("slow"), await made.submit("slow"), await made.submit("other")];
    await app.sql`update run set created_at = created_at - interval '11 minutes', annotations = '{"millrace.dev/deadline": "10m"}' where id = ${late!.id}`;
    const answer = await overview(reader);
    expect(answer.waits).toEqual({ action: 2, event: 1 });
    expect(answer.late).toMatchObject([{ workflowName: "slow", run: late!.id, limit: "deadline" }]);
    expect(answer.health).toMatchObject({ queue: "healthy", database: "healthy" });
    const count = (query: string) => reader.get(`${made.path}/workflowrun/count?${query}`);
    expect((await count("workflows=slow")).body.waits).toEqual({ action: 2 });
    expect((await count("labels=a=b")).body.waits).toBeUndefined();
    expect((await reader.get(`${made.path}/action/open-count`)).body).toEqual({ count: 2 });
  });

  test("the list can be limited to runs that the caller started", async () => {
    const made = await team();
    const editor = await made.member("editor");
    await waiting(made, "shared");
    const { id } = (await editor.post(`${made.path}/workflow/shared/submit?start=true`, {})).body;
    expect((await overview(editor, "?mine=true")).runs.map((run: { id: string }) => run.id)).toEqual([id]);
    expect((await overview(editor)).runs).toHaveLength(2);
  });
});

test("runs are found by who started them", async () => {
  const made = await team();
  const [one, other] = [await made.member("editor"), await made.member("editor")];
  await made.workflow("w", workflow(node("ask", "approval", ["start"])));
  for (const client of [one, other]) await client.post(`${made.path}/workflow/w/submit?start=true`, {});
  for (const initiator of [one.userId, `user:${one.userId}`]) {
    const found = (await one.get(`${made.path}/workflowrun/query?initiators=${initiator}`)).body;
    expect(found).toMatchObject({ totalElements: 1, content: [{ initiatedByRef: one.userId, initiatedByType: "user" }] });
    expect((await one.get(`${made.path}/workflowrun/count?initiators=${initiator}`)).body.status.all).toBe(1);
  }
});
