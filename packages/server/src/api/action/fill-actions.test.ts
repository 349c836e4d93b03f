import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, kit, team } = await runKit();
const admin = app.as();

const versionField = { name: "version", label: "Version", required: true };
const keep = (output: string, reference: string) =>
  node(`keep-${output}`, "setwfproperty", [{ from: "ask", on: "always" }], params({ output, value: reference }));

/** A run that waits for people. */
async function waiting(values: Record<string, unknown>, type: "approval" | "manual" = "approval", more: ReturnType<typeof node>[] = []) {
  const made = await team();
  const given = { instructions: "Look", ...values };
  await made.workflow(
    "w",
    workflow(
      node("before", "setwfproperty", ["start"], params({ output: "report", value: "3 < 4" })),
      node("ask", type, ["before"], params(given)),
      ...more,
    ),
  );
  const { id: runId } = await made.submit("w");
  const [listed] = (await admin.get(`${made.path}/action/query`)).body.content;
  const read = async () => (await admin.get(`${made.path}/action/${listed.id}`)).body;
  const vote = (client: typeof admin, more: Record<string, unknown>) => client.put(`${made.path}/action`, [{ id: listed.id, ...more }]);
  return { ...made, runId, listed, read, vote, ask: async () => taskOf(await made.run(runId), "ask") };
}

const resultsOf = (task: { results: { name: string; value: unknown }[] }) =>
  Object.fromEntries(task.results.map(({ name, value }) => [name, value]));

describe("the request", () => {
  test.each(["approval", "manual"] as const)("of %s has a title, a message, fields, links and attachments", async (type) => {
    const { listed, read } = await waiting(
      {
        title: "Release $(params.workflow-name)",
        instructions: "**Report**: $(tasks.before.results.report)",
        fields: [versionField, { name: "count", type: "number", default: 2 }],
        links: '[{"label": "Notes", "url": "https://example.com/$(params.workflow-name)"}]',
        attachments: [{ label: "Report", text: "$(tasks.before.results.report)" }, { log: "before" }, { log: "nothing" }],
      },
      type,
    );
    expect(listed).toMatchObject({
      title: "Release w",
      instructions: expect.stringMatching(/^\*\*Report\*\*: /),
      fields: [
        { name: "version", label: "Version", type: "text", required: true },
        { name: "count", type: "number", default: 2 },
      ],
      links: [{ label: "Notes", url: "https://example.com/w" }],
    });
    expect(listed, "texts are read with the single action").not.toHaveProperty("attachments");
    expect((await read()).attachments).toEqual([
      { label: "Report", text: expect.any(String) },
      { label: "before", taskName: "before", taskRunRef: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { label: "nothing", taskName: "nothing", taskRunRef: null },
    ]);
  });

  test("is left out of lists that only show it: a hundred of the largest would be 4 MB", async () => {
    const field = (index: number) => ({ name: `f${index}`, type: "text", helpertext: "h".repeat(900) });
    const { path, listed, read } = await waiting({
      instructions: "i".repeat(19_000),
      fields: Array.from({ length: 20 }, (_, index) => field(index)),
    });
    const { body, text } = await admin.get(`${path}/action/query?withForms=false`);
    expect(body.content).toEqual([{ ...listed, fields: [], fieldCount: 20, instructions: `${"i".repeat(300)}…` }]);
    expect(text.length * 100).toBeLessThan(200_000);
    expect(listed.fields).toHaveLength(20);
    expect((await read()).fields).toHaveLength(20);
  });

  test("that can't be read fails the task and says why", async () => {
    const made = await team();
    await made.workflow("w", workflow(node("ask", "approval", ["start"], params({ fields: [{ name: "key", type: "password" }] }))));
    const { id } = await made.submit("w");
    expect(taskOf(await made.run(id), "ask")).toMatchObject({
      status: "failed",
      reason: "InvalidParameter",
      statusMessage: expect.stringContaining('field "key": a field can\'t be a secret'),
    });
  });
});

describe("a vote with values", () => {
  test.each(["approval", "manual"] as const)("makes them results of %s, which later tasks use", async (type) => {
    const { vote, ask, run, runId, read } = await waiting({ fields: [versionField, { name: "count", type: "number", default: 2 }] }, type, [
      keep("deployed", "$(tasks.ask.results.version) x $(tasks.ask.results.count)"),
    ]);
    expect((await vote(admin, { approved: true, values: { version: "1.4" } })).status).toBe(204);
    expect(resultsOf(await ask())).toMatchObject({ version: "1.4", count: 2 });
    expect((await run(runId)).results).toContainEqual(expect.objectContaining({ name: "deployed", value: "1.4 x 2" }));
    expect((await read()).actioners).toMatchObject([{ values: { version: "1.4", count: 2 } }]);
  });

  test("that are wrong is refused, names the fields and casts nothing", async () => {
    const { vote, read } = await waiting({ fields: [versionField, { name: "count", type: "number" }] });
    expect(await vote(admin, { approved: true, values: { count: "many" } })).toMatchObject({
      status: 400,
      body: {
        reason: "ACTION_INVALID_VALUES",
        message: expect.stringContaining('field "version" is required; field "count" must be a number'),
        errors: [
          { path: "0", message: expect.stringContaining("version") },
          { path: "0/values/version", message: 'field "version" is required' },
          { path: "0/values/count", message: 'field "count" must be a number, but is "many"' },
        ],
      },
    });
    expect(await read()).toMatchObject({ status: "submitted", actioners: [] });
  });

  test("is not needed to reject, nor where all have defaults", async () => {
    const rejected = await waiting({ fields: [versionField] }, "approval", [keep("why", "[$(tasks.ask.results.version)]")]);
    expect((await rejected.vote(admin, { approved: false })).status).toBe(204);
    expect((await rejected.run(rejected.runId)).results).toContainEqual(expect.objectContaining({ name: "why", value: "[]" }));
    const plain = await waiting({ fields: [{ name: "region", type: "select", options: ["eu", "us"], default: "eu" }] });
    expect((await plain.vote(admin, { approved: true })).status).toBe(204);
    expect(resultsOf(await plain.ask())).toMatchObject({ region: "eu" });
  });

  test("on an action without fields is refused", async () => {
    const { vote } = await waiting({});
    expect(await vote(admin, { approved: true, values: { a: 1 } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("this action has no fields") },
    });
  });

  test("with several approvals: those of the deciding vote count", async () => {
    const made = await waiting({ fields: [versionField], numberOfApprovers: 2 });
    const [one, two] = [await made.member("editor"), await made.member("editor")];
    expect((await made.vote(one, { approved: true, values: { version: "1" } })).status).toBe(204);
    expect((await made.vote(two, { approved: true, values: { version: "2" } })).status).toBe(204);
    expect(resultsOf(await made.ask())).toMatchObject({ version: "2" });
    expect((await made.read()).history).toMatchObject([
      { kind: "opened" },
      { kind: "vote", values: { version: "1" } },
      { kind: "vote", values: { version: "2" } },
    ]);
  });

  test("at once: one decides, and its values are the results", async () => {
    const made = await waiting({ fields: [versionField] });
    const members = [await made.member("editor"), await made.member("editor"), await made.member("editor")];
    const statuses = await Promise.all(
      members.map(async (member, at) => (await made.vote(member, { approved: true, values: { version: String(at) } })).status),
    );
    expect(statuses.toSorted()).toEqual([204, 409, 409]);
    expect(resultsOf(await made.ask())).toMatchObject({ version: String(statuses.indexOf(204)) });
    await kit.settle();
  });
});

describe("delegation", () => {
  /** A group of one person, and more members. */
  async function grouped(values: Record<string, unknown> = {}) {
    const made = await team();
    const [lead, editor, reader] = [await made.member("editor"), await made.member("editor"), await made.member("reader")];
    await setApproverGroup(app.sql, made.id, "leads", [lead.userId]);
    await made.workflow("w", workflow(node("ask", "approval", ["start"], params({ approverGroupId: "leads", ...values }))));
    const { body: run } = await editor.post(`${made.path}/workflow/w/submit?start=true`, {});
    const [{ id }] = (await admin.get(`${made.path}/action/query`)).body.content;
    const delegate = (client: typeof admin, body: object) => client.post(`${made.path}/action/${id}/delegate`, body);
    const vote = (client: typeof admin, approved = true) => client.put(`${made.path}/action`, [{ id, approved }]);
    const mine = async (client: typeof admin) => (await client.get(`${made.path}/action/query?mine=true`)).body.totalElements;
    return { ...made, lead, editor, reader, id, runId: run.id, delegate, vote, mine };
  }

  test("moves the vote of one person to another, who is found by email", async () => {
    const { lead, delegate, vote, member, mine, path, id } = await grouped();
    const other = await member("editor");
    expect(await vote(other)).toMatchObject({ status: 403 });
    expect(await delegate(lead, { user: other.email, comments: "On leave" })).toMatchObject({
      status: 200,
      body: {
        delegatorRefs: [lead.userId],
        delegateRefs: [other.userId],
        history: [
          { kind: "opened" },
          {
            kind: "delegation",
            principalId: lead.userId,
            comments: "On leave",
            delegatedTo: other.email.split("@")[0],
            delegateRefs: [other.userId],
          },
        ],
      },
    });
    expect([await mine(lead), await mine(other)]).toEqual([0, 1]);
    expect(await vote(lead)).toMatchObject({ status: 409, body: { message: expect.stringContaining("has delegated their vote") } });
    expect((await vote(other)).status).toBe(204);
    const [record] = await app.sql`select principal_id, before, after from audit where object_id = ${id} order by id limit 1`;
    expect(record).toMatchObject({
      principal_id: `user:${lead.userId}`,
      before: { delegateRefs: [] },
      after: { delegateRefs: [other.userId] },
    });
    expect((await admin.get(`${path}/action/${id}`)).body.status).toBe("approved");
  });

  test("ends when the person leaves the approver group, also where the vote was passed on", async () => {
    const { lead, delegate, vote, member, mine, path, id } = await grouped();
    const [other, third] = [await member("editor"), await member("editor")];
    await delegate(lead, { user: other.userId });
    await delegate(other, { user: third.userId });
    expect(await mine(third)).toBe(1);
    await setApproverGroup(app.sql, path.split("/").at(-1)!, "leads", [other.userId]);
    expect([await mine(third), await mine(other), await mine(lead)]).toEqual([0, 0, 0]);
    for (const person of [third, other, lead]) expect((await vote(person)).status).toBe(403);
    const read = (await admin.get(`${path}/action/${id}`)).body;
    expect(read).toMatchObject({ status: "submitted", delegateRefs: [], delegatorRefs: [] });
  });

  test("ends when the delegate leaves the group that it went to, or the team; the others of the group keep it", async () => {
    const { lead, delegate, vote, member, mine, path } = await grouped();
    const teamId = path.split("/").at(-1)!;
    const [one, two] = [await member("reader"), await member("reader")];
    await setApproverGroup(app.sql, teamId, "deputies", [one.userId, two.userId]);
    expect((await delegate(lead, { group: "deputies" })).status).toBe(200);
    expect([await mine(one), await mine(two)]).toEqual([1, 1]);
    await setApproverGroup(app.sql, teamId, "deputies", [two.userId]);
    expect([await mine(one), await mine(two)]).toEqual([0, 1]);
    expect((await vote(one)).status).toBe(403);
    expect((await admin.delete(`${path}/members`, [{ email: two.email }])).status).toBeLessThan(300);
    expect((await vote(two)).status).toBe(404);
    // Nobody has the vote now: the person it was delegated from gets it back only through a new member of the group.
    expect(await mine(lead)).toBe(0);
  });

  test("can be passed on and back, and never makes two votes of one", async () => {
    const { lead, delegate, vote, member, mine } = await grouped();
    const other = await member("owner");
    await delegate(lead, { user: other.userId });
    expect((await delegate(lead, { user: other.userId })).status).toBe(409);
    expect((await delegate(other, { user: lead.userId })).body).toMatchObject({
      delegatorRefs: [other.userId],
      delegateRefs: [lead.userId],
    });
    expect([await mine(lead), await mine(other)]).toEqual([1, 0]);
    expect((await vote(other)).status).toBe(403);
    expect((await vote(lead)).status).toBe(204);
  });

  test("never goes to the person who started the run, who can't delegate either", async () => {
    const { lead, editor, delegate, vote, id, path } = await grouped();
    expect(await delegate(editor, { user: editor.userId })).toMatchObject({ status: 403 });
    expect(await delegate(lead, { user: editor.userId })).toMatchObject({
      status: 400,
      body: { reason: "ACTION_INVALID_DELEGATE", message: expect.stringContaining("the run belongs to that person") },
    });
    await setApproverGroup(app.sql, path.split("/").at(-1) ?? "", "starters", [editor.userId]);
    expect(await delegate(lead, { group: "starters" })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("nobody in it could vote") },
    });
    expect((await vote(editor)).status).toBe(403);
    expect((await admin.get(`${path}/action/${id}`)).body).toMatchObject({ delegatorRefs: [], delegateRefs: [] });
  });

  test("goes to people who may approve: editors, owners, members of a group", async () => {
    const { lead, reader, delegate, vote, id: _id, path } = await grouped();
    expect(await delegate(lead, { user: reader.userId })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("must be an editor or owner of the team, or in one of its approver groups") },
    });
    expect(await delegate(lead, { user: "nobody@example.com" })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("a member of the team") },
    });
    expect(await delegate(lead, { user: lead.userId })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("can vote already") },
    });
    expect(await delegate(lead, { group: "leads" })).toMatchObject({ status: 400 });
    expect(await delegate(lead, { group: "none" })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("no such approver group") },
    });
    for (const body of [{}, { user: reader.userId, group: "leads" }]) expect((await delegate(lead, body)).status).toBe(400);
    await setApproverGroup(app.sql, path.split("/").at(-1) ?? "", "second", [reader.userId]);
    expect((await delegate(lead, { group: "Second" })).body.delegateRefs).toEqual([reader.userId]);
    expect((await vote(reader)).status).toBe(204);
  });

  test("to a group is refused where several approvals are needed: one vote can't become many", async () => {
    const made = await team();
    const [one, two, three] = [await made.member("editor"), await made.member("editor"), await made.member("reader")];
    await setApproverGroup(app.sql, made.id, "leads", [one.userId, two.userId]);
    await setApproverGroup(app.sql, made.id, "others", [three.userId]);
    await made.workflow("w", workflow(node("ask", "approval", ["start"], params({ approverGroupId: "leads", numberOfApprovers: 2 }))));
    await made.submit("w");
    const [{ id }] = (await admin.get(`${made.path}/action/query`)).body.content;
    const at = `${made.path}/action/${id}/delegate`;
    expect(await one.post(at, { group: "others" })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("2 approvals are required") },
    });
    expect((await one.post(at, { user: two.userId })).status, "she has a vote of her own").toBe(400);
    expect((await one.post(at, { user: three.userId })).status).toBe(200);
    expect((await made.run(String((await admin.get(`${made.path}/action/${id}`)).body.workflowRunRef))).status).toBe("running");
    for (const client of [three, two]) expect((await client.put(`${made.path}/action`, [{ id, approved: true }])).status).toBe(204);
    expect((await admin.get(`${made.path}/action/${id}`)).body.status).toBe("approved");
  });

  test("is for people, on open actions of the team", async () => {
    const { lead, delegate, vote, member, id } = await grouped();
    const other = await member("editor");
    expect((await delegate(admin, { user: other.userId })).status).toBe(403);
    expect((await delegate(app.as(null), { user: other.userId })).status).toBe(401);
    const elsewhere = await team();
    expect((await admin.post(`${elsewhere.path}/action/${id}/delegate`, { user: other.userId })).status).toBe(404);
    await vote(lead);
    expect((await delegate(lead, { user: other.userId })).status).toBe(409);
  });
});

describe("a comment", () => {
  test("asks a question without deciding, and is shown in the history", async () => {
    const made = await waiting({});
    const [asker, reader] = [await made.member("editor"), await made.member("reader")];
    const at = `${made.path}/action/${made.listed.id}/comment`;
    expect(await asker.post(at, { comments: " Which region? " })).toMatchObject({
      status: 200,
      body: {
        status: "submitted",
        actioners: [],
        history: [{ kind: "opened" }, { kind: "comment", principalId: asker.userId, comments: "Which region?" }],
      },
    });
    expect((await reader.post(at, { comments: "Hm" })).status).toBe(403);
    for (const comments of ["", "  ", "x".repeat(10_001)]) expect((await asker.post(at, { comments })).status).toBe(400);
    await made.vote(admin, { approved: true });
    expect((await asker.post(at, { comments: "Late" })).status).toBe(409);
  });

  test("is limited in number", async () => {
    const made = await waiting({});
    await app.sql`insert into action_note (team_id, action_id, kind, principal, comments)
      select ${made.id}, ${made.listed.id}, 'comment', 'token:admin', 'x' from generate_series(1, 200)`;
    expect(await admin.post(`${made.path}/action/${made.listed.id}/comment`, { comments: "One more" })).toMatchObject({ status: 409 });
  });
});
