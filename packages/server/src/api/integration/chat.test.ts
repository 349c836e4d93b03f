import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { moveTime } from "../../../test/database.ts";
import {
  type ChatRequest,
  fakeChatPlatform,
  makeTriggered,
  paramsOf,
  sendFromChat,
  setIntegrationSettings,
} from "../../../test/integration-kit.ts";
import { chatTokenPlace } from "../../core/sealed-places.ts";

const app = await testApp();
const admin = app.as();
const platform = await fakeChatPlatform();
const secret = "signing-secret";
const base = "/api/v2/integration/chat";
const configured = {
  "chat.signingSecret": secret,
  "chat.clientId": "client",
  "chat.clientSecret": "client-secret",
  "chat.appId": "A-setting",
  "chat.installURL": "https://chat.example/oauth/v2/authorize?client_id=client&scope=commands",
  "chat.baseURL": platform.url,
};
const granted = {
  ok: true,
  access_token: "xoxb-secret-token",
  app_id: "A1",
  scope: "commands,chat:write",
  team: { id: "T&1", name: "Workspace" },
};

beforeEach(() => setIntegrationSettings(app, configured));

const formType = "application/x-www-form-urlencoded";
const send = (path: string, body: unknown, more: Partial<ChatRequest> = {}) =>
  sendFromChat(app, { path, body: typeof body === "string" ? body : JSON.stringify(body), secret, ...more });
const command = (text: string, more: Partial<ChatRequest> = {}) =>
  send(`${base}/commands`, new URLSearchParams({ text, user_id: "U1", team_id: "T1", trigger_id: "x" }).toString(), {
    type: formType,
    ...more,
  });
const answerWith = (body: unknown, status = 200) => {
  platform.answer = { status, body: typeof body === "string" ? body : JSON.stringify(body) };
};
const workspaces = async () =>
  (await app.sql`select ref, name, app_id, token, scopes from chat_workspace order by ref`).map((row) => ({ ...row }));
const install = (query: string) => app.as(null).get(`${base}/auth?${query}`);

const unconfigured = { status: 409, body: { code: 1601, reason: "INTEGRATION_NOT_CONFIGURED" } };

describe.each([
  ["events", "application/json", JSON.stringify({ type: "event_callback", event: { type: "app_home_opened" } })],
  ["commands", formType, "text=help"],
  ["interactivity", formType, `payload=${encodeURIComponent("{}")}`],
])("POST %s", (path, type, body) => {
  const at = `${base}/${path}`;

  test("takes what the platform has signed, at most 300 seconds ago", async () => {
    expect((await send(at, body, { type })).status).toBe(200);
    expect((await send(at, body, { type, behindSeconds: 290 })).status).toBe(200);
    expect((await send(at, body, { type, behindSeconds: -290 })).status).toBe(200);
    const refused = { status: 401, body: { reason: "UNAUTHENTICATED" } };
    for (const behindSeconds of [310, -310]) expect(await send(at, body, { type, behindSeconds })).toMatchObject(refused);
    expect(await send(at, body, { type, secret: "wrong" })).toMatchObject(refused);
    expect(await send(at, body, { type, headers: { "x-slack-request-timestamp": "soon" } })).toMatchObject(refused);
    expect(await send(at, body, { type, headers: { "x-chat-signature": "v0=00" } })).toMatchObject(refused);
  });

  test("takes no credential instead of the signature", async () => {
    expect((await app.as(null).post(at, body, { "content-type": type })).status).toBe(401);
    expect(await admin.post(at, body, { "content-type": type })).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    expect((await send(at, body, { type, token: "mrg_nonsense" })).status).toBe(401);
  });

  test("is a 409 while no signing secret is set, or it can't be opened", async () => {
    await setIntegrationSettings(app, {});
    expect(await send(at, body, { type })).toMatchObject(unconfigured);
    await app.sql`insert into setting (group_key, key, value) values ('integration', 'chat.signingSecret', 'not sealed')`;
    expect(await send(at, body, { type })).toMatchObject(unconfigured);
  });
});

describe("an event of the chat platform", () => {
  test("answers the challenge", async () => {
    expect(await send(`${base}/events`, { type: "url_verification", challenge: "abc" })).toMatchObject({
      status: 200,
      body: { challenge: "abc" },
    });
  });

  test("forgets the token of a workspace that removed the app, and of no other", async () => {
    for (const id of ["T1", "T2"]) {
      answerWith({ ...granted, team: { id } });
      expect((await install("code=1")).status).toBe(302);
    }
    await send(`${base}/events`, { type: "event_callback", team_id: "T2", event: { type: "app_home_opened" } });
    for (const team_id of ["T1", "T9", 5, null]) {
      expect(await send(`${base}/events`, { type: "event_callback", team_id, event: { type: "app_uninstalled" } })).toMatchObject({
        status: 200,
        body: {},
      });
    }
    expect((await workspaces()).map(({ ref }) => ref)).toEqual(["T2"]);
    const [record] = await app.sql`select principal_id, before from audit where object_name = 'T1' and before is not null`;
    expect(record).toEqual({ principal_id: "integration:chat", before: { workspace: "T1" } });
    await send(`${base}/events`, { team_id: "T2", event: { type: "tokens_revoked" } });
    expect(await workspaces()).toEqual([]);
  });

  test("of any other form is a receipt or a 400, never a failure of ours", async () => {
    for (const body of [{}, { event: 5 }, { event: null }, { challenge: 5 }, { event: { type: {} }, team_id: {} }]) {
      expect(await send(`${base}/events`, body)).toMatchObject({ status: 200, body: {} });
    }
    for (const body of ["[]", "null", "5", "{", '"x"']) expect((await send(`${base}/events`, body)).status).toBe(400);
    expect((await send(`${base}/events`, "a=1", { type: formType })).status).toBe(415);
  });
});

describe("a command", () => {
  test("help says what there is", async () => {
    for (const text of ["help", "HELP me", "", "  "]) {
      expect(await command(text)).toMatchObject({
        status: 200,
        body: { response_type: "ephemeral", text: expect.stringContaining("`list`") },
      });
    }
  });

  test("list names what the credential of its address may start, and without one shows nobody's workflows", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    await makeTriggered(app, team.id, "off", { event: { enabled: true } });
    await makeTriggered(app, (await app.make.team()).id, "foreign", { webhook: { enabled: true } });
    const path = (token: string) => `${base}/commands?access_token=${token}`;
    const token = await app.make.teamToken(team.id, ["webhook/action"]);
    expect((await command("list", { path: path(token) })).body.text).toBe(`• build (\`${id}\`)`);
    const reader = await app.make.teamToken(team.id, ["**/read"]);
    expect((await command("list", { path: path(reader) })).body.text).toContain("no workflow");
    const { text } = (await command("list")).body;
    expect(text).toContain("not linked to a team");
    expect(text).not.toContain("build");
  });

  test("anything else says that nothing was started, and repeats it harmlessly", async () => {
    const { status, body } = await command("run <!channel> & more");
    expect([status, body.response_type]).toEqual([200, "ephemeral"]);
    expect(body.text).toContain("Nothing was started");
    expect(body.text).toContain("&lt;!channel&gt; &amp; more");
    expect((await send(`${base}/commands`, "%ff&&=&text", { type: formType })).status).toBe(200);
    expect((await send(`${base}/commands`, { text: "help" })).status).toBe(415);
    expect((await send(`${base}/commands`, "", { type: formType })).body.text).toContain("`help`");
  });
});

test("an interaction is confirmed by an empty object", async () => {
  expect(await send(`${base}/interactivity`, "payload=%7B%7D", { type: formType })).toMatchObject({ status: 200, body: {}, text: "{}" });
});

describe("installing the app", () => {
  test("leads to the platform and back to the chat program, and keeps the token sealed", async () => {
    answerWith(granted);
    platform.received.length = 0;
    const begun = await app.as(null).get(`${base}/install`);
    expect(begun).toMatchObject({ status: 302, text: "" });
    const target = new URL(String(begun.headers["location"]));
    expect(target.origin + target.pathname).toBe("https://chat.example/oauth/v2/authorize");
    expect(target.searchParams.get("client_id")).toBe("client");
    const state = target.searchParams.get("state")!;
    const done = await install(`code=the-code&state=${encodeURIComponent(state)}`);
    expect(done).toMatchObject({ status: 302, headers: { location: "chat://app?team=T%261&id=A1" }, text: "" });
    expect(platform.received.map((form) => Object.fromEntries(form))).toEqual([
      { client_id: "client", client_secret: "client-secret", code: "the-code" },
    ]);
    const [workspace] = await workspaces();
    expect(workspace).toMatchObject({ ref: "T&1", name: "Workspace", app_id: "A1", scopes: ["commands", "chat:write"] });
    expect(workspace!["token"]).not.toContain("xoxb");
    expect(app.keyring.openText(workspace!["token"], chatTokenPlace("T&1"))).toBe("xoxb-secret-token");
    const audits = JSON.stringify(await app.sql`select object_name, after from audit where object_name = 'Workspace'`);
    expect(audits).toContain("T&1");
    expect(audits).not.toContain("xoxb");
    const integrations = await admin.get(`/api/v2/integration?team=${(await app.make.team()).name}`);
    expect(integrations.body[1]).toMatchObject({
      id: "chat",
      status: "linked",
      isConfigured: true,
      link: expect.stringMatching(/\/chat\/install$/),
    });
  });

  test("takes no code from somebody who asks for the head alone", async () => {
    answerWith({ ...granted, team: { id: "T-head" } });
    expect((await app.as(null).send("HEAD", `${base}/auth?code=1`)).status).toBe(405);
    expect((await workspaces()).filter(({ ref }) => ref === "T-head")).toEqual([]);
  });

  test("again replaces the token of the workspace", async () => {
    for (const access_token of ["first", "second"]) {
      answerWith({ ...granted, access_token, team: { id: "T-again" }, app_id: undefined });
      expect((await install("code=1")).headers["location"]).toBe("chat://app?team=T-again&id=A-setting");
    }
    const again = (await workspaces()).filter(({ ref }) => ref === "T-again");
    expect(again.map(({ token }) => app.keyring.openText(token, chatTokenPlace("T-again")))).toEqual(["second"]);
  });

  test("takes no state that is not its own or is too old", async () => {
    answerWith(granted);
    platform.received.length = 0;
    const state = new URL(String((await app.as(null).get(`${base}/install`)).headers["location"])).searchParams.get("state")!;
    for (const wrong of ["", "x", state.slice(0, -4), `${"A"}${state.slice(1)}`]) {
      expect((await install(`code=1&state=${encodeURIComponent(wrong)}`)).status, wrong).toBe(400);
    }
    await moveTime(app.sql, 601_000);
    expect((await install(`code=1&state=${state}`)).status).toBe(400);
    await moveTime(app.sql, -601_000);
    expect(platform.received).toEqual([]);
  });

  test.each<[string, number, unknown, number, string]>([
    ["a code that it refuses", 200, { ok: false, error: "invalid_code" }, 400, "BAD_REQUEST"],
    ["a refusal without a reason", 200, {}, 400, "BAD_REQUEST"],
    ["a failure of its own", 500, "oh", 409, "INTEGRATION_FAILED"],
    ["no JSON", 200, "<html>", 409, "INTEGRATION_FAILED"],
    ["JSON of another form", 200, "[1]", 400, "BAD_REQUEST"],
    ["no token", 200, { ...granted, access_token: undefined }, 409, "INTEGRATION_FAILED"],
    ["no workspace", 200, { ...granted, team: null }, 409, "INTEGRATION_FAILED"],
    ["a redirect", 302, "", 409, "INTEGRATION_FAILED"],
  ])("is refused when the platform answers with %s", async (_, answered, body, status, reason) => {
    answerWith(body, answered);
    const before = await workspaces();
    expect(await install("code=1")).toMatchObject({ status, body: { reason } });
    expect(await workspaces()).toEqual(before);
  });

  test("is refused when the platform does not answer at all", async () => {
    platform.answer = undefined;
    expect(await install("code=1")).toMatchObject({ status: 409, body: { code: 1601, reason: "INTEGRATION_FAILED" } });
    await setIntegrationSettings(app, { ...configured, "chat.baseURL": "no address" });
    expect((await install("code=1")).status).toBe(409);
  });

  test("needs its settings, and a code", async () => {
    expect((await install("")).status).toBe(400);
    expect((await install("error=access_denied")).status).toBe(400);
    await setIntegrationSettings(app, { "chat.clientId": "client" });
    expect(await install("code=1")).toMatchObject(unconfigured);
    expect(await app.as(null).get(`${base}/install`)).toMatchObject(unconfigured);
    await setIntegrationSettings(app, { "chat.installURL": "no address" });
    expect(await app.as(null).get(`${base}/install`)).toMatchObject(unconfigured);
  });
});

describe("a webhook of the chat platform", () => {
  const at = (ref = "") => `/api/v2/webhook${ref && `?ref=${ref}`}`;

  test("answers the challenge, and starts the workflow that ref names by its id", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    expect(await send(at(), { type: "url_verification", challenge: "abc" })).toMatchObject({ status: 200, body: { challenge: "abc" } });
    for (const type of ["shortcut", "event_callback"]) {
      const answer = await send(at(id), { type, a: 1 });
      expect(answer).toMatchObject({ status: 200, body: { workflowRef: id, initiatedByRef: "integration:chat" } });
      expect(paramsOf(answer.body)["data"]).toEqual({ type, a: 1 });
    }
    expect((await send(at("build"), { type: "shortcut" })).status).toBe(404);
    expect((await send(at(), { type: "shortcut" })).status).toBe(400);
    for (const body of [{ type: "other" }, {}, { type: "url_verification" }]) expect((await send(at(id), body)).status).toBe(400);
    expect(await app.sql`select 1 from run where team_id = ${team.id}`).toHaveLength(2);
  });

  test("with a credential is kept to what that may start", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    const stranger = await app.make.teamToken((await app.make.team()).id);
    expect((await send(at(id), { type: "shortcut" }, { token: stranger })).status).toBe(404);
    expect((await send(at("build"), { type: "shortcut" }, { token: await app.make.teamToken(team.id) })).status).toBe(200);
  });

  test("is refused without a right signature, before it is looked at as anything else", async () => {
    expect((await send(at("x"), { type: "url_verification", challenge: "abc" }, { secret: "wrong" })).status).toBe(401);
    expect((await send(at("x"), {}, { secret: "wrong", headers: { "x-codehost-event": "push" } })).status).toBe(401);
    await setIntegrationSettings(app, {});
    expect(await send(at("x"), { type: "url_verification", challenge: "abc" })).toMatchObject(unconfigured);
  });
});
