import { beforeEach, describe, expect, test } from "vitest";
import { makeTriggered } from "../../../test/kit/integration-kit.ts";
import { chatKit } from "../../../test/kit/outbound/chat-kit.ts";
import { startClock } from "../../../test/kit/processor-ms.ts";
import { runKit } from "../../../test/kit/run-kit.ts";

/** Slash commands: who may send them, and what the sender sees. */
const { app, outsider } = await runKit();
const kit = await chatKit(app);
const { chat } = kit;
const webhook = { webhook: { enabled: true } };

beforeEach(() => chat.reset());

/** A team with a workflow, linked to a workspace in which its member is. */
async function linked(role: "owner" | "editor" | "reader" = "editor") {
  const team = await app.make.team();
  const member = await app.make.member(team.id, role);
  const workspace = await kit.workspace([team.id]);
  const user = kit.person(workspace, member.email.toUpperCase());
  const workflow = await makeTriggered(app, team.id, "build", webhook);
  return { team, member, workspace, user, workflow, say: (text: string) => kit.say(workspace, user, text) };
}

describe("who sends a command", () => {
  test("is the active user with the address that the platform has confirmed", async () => {
    const { workflow, workspace, user, say, team } = await linked();
    expect(await say("list")).toBe(`*${team.name}*\n• build (\`${workflow}\`)`);
    expect(chat.calls).toEqual([{ method: "users.info", token: `xoxb-secret-${workspace}`, args: { user } }]);
  });

  test("gets the address that is unknown here", async () => {
    const { workspace, team } = await linked();
    const unknown = kit.person(workspace, "nobody@example.com");
    expect(await kit.say(workspace, unknown, "list")).toContain("no active user has the address nobody@example.com");
    const left = await app.make.member(team.id, "owner");
    await app.sql`update app_user set status = 'inactive' where id = ${left.id}`;
    expect(await kit.say(workspace, kit.person(workspace, left.email), "list")).toContain(`no active user has the address ${left.email}`);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a bot", { is_bot: true }, "only people"],
    ["deactivated", { deleted: true }, "deactivated"],
    ["a guest", { is_restricted: true }, "guests"],
    ["a guest of one channel", { is_ultra_restricted: true }, "guests"],
    ["an outsider of a shared channel", { is_stranger: true }, "another workspace"],
    ["of another workspace", { team_id: "T-other" }, "another workspace"],
    ["invited only", { is_invited_user: true }, "invitation"],
    ["of an address that is not confirmed", { is_email_confirmed: false }, "not confirmed"],
    ["of an odd address", { email: "a b@c" }, "is not valid here"],
  ])("a user who is %s is refused, whatever the address", async (_, more, why) => {
    const { workspace, member } = await linked("owner");
    const text = await kit.say(workspace, kit.person(workspace, member.email, more), "list");
    expect(text).toContain(why);
    expect(text).not.toContain("build");
    expect(await app.sql`select 1 from chat_user u join chat_workspace w on w.id = u.workspace_id where w.ref = ${workspace}`).toEqual([]);
  });

  test("of an organisation can belong to another one of its workspaces", async () => {
    const { workspace, member } = await linked();
    const user = kit.person(workspace, member.email, { team_id: "T-home", enterprise_user: { teams: ["T-home", workspace] } });
    expect(await kit.say(workspace, user, "list")).toContain("build");
  });

  test("loses all rights in the chat at once when they lose the role", async () => {
    const { team, member, say } = await linked();
    expect(await say("list")).toContain("build");
    await app.sql`delete from team_member where team_id = ${team.id} and user_id = ${member.id}`;
    expect(await say("list")).toContain("no workflow");
    expect(await say("run build")).toContain("There is no workflow build");
  });

  test("reaches only teams that the workspace is linked to, even as an administrator", async () => {
    const { workspace, workflow } = await linked();
    const other = await app.make.team();
    const foreign = await makeTriggered(app, other.id, "secret-build", webhook);
    const admin = await app.make.user({ type: "admin" });
    const user = kit.person(workspace, admin.email);
    expect(await kit.say(workspace, user, "list")).toContain(workflow);
    expect(await kit.say(workspace, user, "list")).not.toContain("secret-build");
    for (const text of [`run ${foreign}`, "run secret-build", `run ${other.name}/secret-build`, foreign, `status ${foreign}`]) {
      expect(await kit.say(workspace, user, text), text).toContain("There is no workflow");
    }
    expect(await kit.say(workspace, user, `list ${other.name}`)).toContain("There is no team");
    expect(chat.callsOf("views.open")).toEqual([]);
  });

  test("gets no rights from a credential in the URL of the command", async () => {
    const { workspace, workflow } = await linked();
    const nobody = kit.person(workspace, "nobody@example.com");
    const form = new URLSearchParams({ text: "list", team_id: workspace, user_id: nobody }).toString();
    const path = `/api/v2/integration/chat/commands?access_token=${await app.make.globalToken()}`;
    const { body } = await kit.send(path, form, { type: "application/x-www-form-urlencoded" });
    expect(body.text).toContain("no active user has the address nobody@example.com");
    expect(body.text).not.toContain(workflow);
  });
});

describe("a workspace", () => {
  const at = "/api/v2/integration/chat";

  test("reaches nothing before it is linked, or after it is unlinked", async () => {
    const team = await app.make.team();
    const owner = await app.make.member(team.id, "owner");
    const workspace = await kit.workspace();
    const user = kit.person(workspace, owner.email);
    await makeTriggered(app, team.id, "build", webhook);
    expect(await kit.say(workspace, user, "list")).toContain("not linked to a team");
    const client = app.as(owner.token);
    const body = { ref: workspace, team: team.name };
    expect(await client.post(`${at}/link`, body)).toMatchObject({ status: 200, body: { id: "chat", status: "linked" } });
    expect((await client.post(`${at}/link`, body)).status).toBe(200);
    expect(await kit.say(workspace, user, "list")).toContain("build");
    const listed = (await app.as().get(`${at}/workspace`)).body.find(({ ref }: { ref: string }) => ref === workspace);
    expect(listed).toMatchObject({ name: workspace, teams: [team.name] });
    const [, shown] = (await client.get(`/api/v2/integration?team=${team.name}`)).body;
    expect(shown).toMatchObject({ id: "chat", status: "linked", isConfigured: true });
    for (let times = 0; times < 2; times++) expect((await client.post(`${at}/unlink`, body)).status).toBe(204);
    expect(await kit.say(workspace, user, "list")).toContain("not linked to a team");
    expect((await client.get(`/api/v2/integration?team=${team.name}`)).body[1].status).toBe("unlinked");
  });

  test("can be unlinked by the id in the team's integration, too", async () => {
    const team = await app.make.team();
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    await owner.post(`${at}/link`, { ref: await kit.workspace(), team: team.name });
    const [, { ref }] = (await owner.get(`/api/v2/integration?team=${team.name}`)).body;
    expect((await owner.post(`${at}/unlink`, { ref, team: team.name })).status).toBe(204);
    expect((await owner.get(`/api/v2/integration?team=${team.name}`)).body[1].status).toBe("unlinked");
  });

  test("must be linked first by an administrator of the instance", async () => {
    const team = await app.make.team();
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    const workspace = await kit.workspace();
    await app.sql`update chat_workspace set vouched_at = null where ref = ${workspace}`;
    const body = { ref: workspace, team: team.name };
    const refused = { status: 403, body: { message: expect.stringContaining("is not trusted yet") } };
    expect(await owner.post(`${at}/link`, body)).toMatchObject(refused);
    expect(await owner.post(`${at}/link`, { ...body, ref: "T404" })).toMatchObject(refused);
    // The workspace decides which account belongs to whom, and so who votes and runs. An operator, who can't act as others, could link a
    // workspace of their own.
    const operator = app.as(await app.make.userToken((await app.make.user({ type: "operator" })).id));
    expect(await operator.post(`${at}/link`, body)).toMatchObject(refused);
    expect(await app.as().post(`${at}/link`, { ...body, ref: "T404" })).toMatchObject({ status: 404 });
    const other = await app.make.team();
    expect((await app.as().post(`${at}/link`, { ref: workspace, team: other.name })).status).toBe(200);
    expect((await owner.post(`${at}/link`, body)).status).toBe(200);
    expect(await app.sql`select 1 from audit where object_kind = 'integration' and team_id = ${team.id}`).toHaveLength(1);
  });

  test("is linked and unlinked with the permission to write the team's integrations, and listed with that to read all", async () => {
    const team = await app.make.team();
    const body = { ref: await kit.workspace(), team: team.name };
    const reader = app.as((await app.make.member(team.id, "reader")).token);
    for (const path of [`${at}/link`, `${at}/unlink`]) {
      expect((await app.as(null).post(path, body)).status).toBe(401);
      expect((await (await outsider()).post(path, body)).status).toBe(404);
      expect((await reader.post(path, body)).status).toBe(403);
      for (const wrong of [{}, { ...body, ref: "" }, { ...body, ref: "<T>" }, { ...body, team: 5 }, []]) {
        expect((await app.as().post(path, wrong)).status).toBe(400);
      }
    }
    expect((await app.as(null).get(`${at}/workspace`)).status).toBe(401);
    expect((await reader.get(`${at}/workspace`)).status).toBe(403);
  });
});

describe("list", () => {
  test("lists what can be started, of one team or of all", async () => {
    const { team, workspace, say, workflow } = await linked();
    await makeTriggered(app, team.id, "off", { event: { enabled: true } });
    expect(await say(`list ${team.name.toUpperCase()}`)).toBe(`*${team.name}*\n• build (\`${workflow}\`)`);
    expect(await say("list nowhere")).toBe("There is no team nowhere that you can reach from this workspace");
    const reader = await app.make.member(team.id, "reader");
    expect(await kit.say(workspace, kit.person(workspace, reader.email), "list")).toContain("no workflow");
  });
});

describe("status", () => {
  test("shows the status of a run, and the last runs of a workflow", async () => {
    const { team, workspace, workflow, say } = await linked();
    expect(await say("status build")).toBe("build has not run yet.");
    const runs: string[] = [];
    for (let times = 0; times < 7; times++) {
      runs.push((await app.as().post(`/api/v2/team/${team.id}/workflow/build/submit?start=true`, {})).body.id);
    }
    const link = (id: string) => `<http://127.0.0.1:8080/${team.name}/activity/${id}|${id}>`;
    expect(await say(`status ${runs[0]}`)).toContain(`• build ${link(runs[0]!)} *succeeded*, `);
    const lines = (await say(`status ${workflow}`))!.split("\n");
    expect(lines.map((line) => runs.findIndex((id) => line.includes(id)))).toEqual([6, 5, 4, 3, 2]);
    const reader = await app.make.member(team.id, "reader");
    expect(await kit.say(workspace, kit.person(workspace, reader.email), `status ${runs[0]}`)).toContain("succeeded");
    const foreign = await linked();
    expect(await foreign.say(`status ${runs[0]}`)).toContain("There is no workflow");
    expect(await say("status")).toContain("needs the ID of a run");
  });
});

describe("run", () => {
  test("opens a dialog for the workflow, by team and workflow or by workflow alone", async () => {
    const { team, workflow, say } = await linked();
    for (const text of ["run build", `run ${workflow}`, `run ${team.name}/build`, "build", workflow.toUpperCase(), "RUN build"]) {
      expect(await say(text), text).toBeUndefined();
      const { view } = chat.callsOf("views.open").at(-1)!.args;
      expect(view).toMatchObject({ type: "modal", callback_id: "run-workflow", private_metadata: workflow });
    }
    expect(await say("run")).toContain("run needs the name");
    expect(await say("run nothing")).toContain("There is no workflow nothing");
  });

  test("asks which is meant when several teams have the name", async () => {
    const { team, workspace, member, say } = await linked();
    const other = await app.make.team();
    await makeTriggered(app, other.id, "build", webhook);
    await app.sql`insert into team_member (team_id, user_id, role) values (${other.id}, ${member.id}, 'editor')`;
    expect(await say("run build")).toBeUndefined();
    await app.as().post("/api/v2/integration/chat/link", { ref: workspace, team: other.name });
    const text = await say("run build");
    expect(text).toContain(`${team.name}/build`);
    expect(text).toContain(`${other.name}/build`);
    expect(await say(`run ${other.name}/build`)).toBeUndefined();
  });

  test("says why a workflow can't be started in the chat", async () => {
    const { team, workspace, say } = await linked();
    await makeTriggered(app, team.id, "off", {});
    expect(await say("run off")).toContain("Trigger webhook of workflow off is not enabled");
    await makeTriggered(app, team.id, "secretive", webhook, { params: [{ name: "key", type: "password", required: true }] });
    const text = await say("run secretive");
    expect(text).toContain('its parameter "key" is a secret');
    expect(text).toContain(`http://127.0.0.1:8080/api/v2/team/${team.name}/workflow/`);
    const many = Array.from({ length: 91 }, (_, index) => ({ name: `p${index}` }));
    await makeTriggered(app, team.id, "wide", webhook, { params: many });
    expect(await say("run wide")).toContain("more than 90 parameters");
    const reader = await app.make.member(team.id, "reader");
    expect(await kit.say(workspace, kit.person(workspace, reader.email), "run build")).toContain("needs the permission workflow/action");
    expect(chat.callsOf("views.open")).toEqual([]);
  });
});

describe("the answer to a command", () => {
  test("is sent at once while the platform hangs, and pending work ends with the process", async () => {
    const { workspace, user } = await linked();
    chat.fail("users.info", "HANG", "HANG");
    const before = chat.callsOf("users.info").length;
    const form = new URLSearchParams({ text: "list", team_id: workspace, user_id: user, response_url: chat.newResponseUrl() }).toString();
    const answer = await kit.send("/api/v2/integration/chat/commands", form, { type: "application/x-www-form-urlencoded" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    // It is asked after the answer. A later call would take a failure that is meant for the next test.
    await expect.poll(() => chat.callsOf("users.info").length).toBeGreaterThan(before);
  });

  test("comes within two seconds if the sender waits for it", async () => {
    const { workspace, user } = await linked();
    chat.fail("users.info", "HANG");
    const form = new URLSearchParams({ text: "list", team_id: workspace, user_id: user }).toString();
    const expectWithin = startClock();
    const { body } = await kit.send("/api/v2/integration/chat/commands", form, { type: "application/x-www-form-urlencoded" });
    expect(body.text).toBe("The chat platform can't be used now: it did not respond in time");
    expectWithin(3000);
  });

  test.each<[string, Parameters<typeof chat.fail>[1][], string]>([
    ["took the app's token back", ["token_revoked"], "the workspace has removed the app"],
    ["wants a scope", ["missing_scope"], "lacks a scope"],
    ["does not know the user", ["user_not_found"], "no such user"],
    [
      "answers something else",
      [
        { status: 200, body: "<html>" },
        { status: 200, body: "<html>" },
      ],
      "its answer is not a JSON object",
    ],
    ["fails", [{ status: 503 }, { status: 503 }], "it answered with status 503"],
    ["has too many calls for long", [{ status: 429, retryAfter: 60 }], "try again in 60 seconds"],
  ])("names the problem when the platform %s", async (_, failures, why) => {
    const { say } = await linked();
    chat.fail("users.info", ...failures);
    const text = await say("list");
    expect(text).toContain(why);
    expect(text).not.toContain("xoxb");
  });

  test("comes after a cut connection, a temporary failure or a short pause", async () => {
    for (const failure of ["CUT", { status: 500 }, { status: 429, retryAfter: 0 }] as const) {
      const { say } = await linked();
      chat.fail("users.info", failure);
      expect(await say("list")).toContain("build");
    }
  });

  test("to a trigger that came too late says so", async () => {
    const { workspace, user } = await linked();
    expect(await kit.say(workspace, user, "run build", { trigger_id: "old" })).toContain("could not be opened in time");
  });

  test("without the scope for addresses says what the app lacks", async () => {
    const team = await app.make.team();
    const workspace = await kit.workspace([team.id], ["commands", "users:read"]);
    const member = await app.make.member(team.id);
    expect(await kit.say(workspace, kit.person(workspace, member.email), "list")).toContain("users:read.email");
  });

  test("mentions nobody, whatever was typed", async () => {
    const { workspace, say } = await linked();
    for (const text of ["run <!channel> & more", "status <!here>", "list <!everyone>", "<!channel>"]) {
      const answer = (await say(text))!;
      expect(answer, text).toContain("&lt;!");
      expect(answer).not.toContain("<!");
    }
    const loud = kit.person(workspace, "<!channel>@example.com");
    expect(await kit.say(workspace, loud, "list")).not.toContain("<!");
  });

  test("is never a 5xx, whatever was sent", async () => {
    const { say, workspace, user } = await linked();
    for (const text of ["run a\0b", "status \0", "list \0", "run 😀😀/\ud83d", `run ${"x".repeat(5000)}`, "run a/b/c", "run /"]) {
      expect(await say(text), text).toMatch(/^There is no|^status needs/);
    }
    for (const odd of ["\0", "", "x".repeat(4000)]) {
      expect(await kit.say(odd, user, "list")).toContain("is unknown here");
      expect(await kit.say(workspace, odd, "list")).toContain("no such user");
    }
  });

  test("is sent to the platform only", async () => {
    const { workspace, user } = await linked();
    const elsewhere = "http://127.0.0.1:9/commands/1";
    expect(await kit.say(workspace, user, "list", { response_url: elsewhere })).toBeUndefined();
    expect(chat.answers).toEqual([]);
  });
});
