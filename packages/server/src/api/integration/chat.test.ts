import { beforeEach, describe, expect, test } from "vitest";
import { type TestAnswer, testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { type ChatRequest, makeTriggered, paramsOf, setIntegrationSettings } from "../../../test/kit/integration-kit.ts";
import { chatKit } from "../../../test/kit/outbound/chat-kit.ts";
import { chatTokenPlace } from "../../core/secret/sealed-places.ts";

const app = await testApp();
const admin = app.as();
const kit = await chatKit(app);
const { chat, configured } = kit;
const base = "/api/v2/integration/chat";
const granted = {
  ok: true,
  access_token: "xoxb-secret-token",
  app_id: "A1",
  scope: "commands,chat:write",
  team: { id: "T&1", name: "Workspace" },
};

beforeEach(() => setIntegrationSettings(app, configured));

const formType = "application/x-www-form-urlencoded";
const { send } = kit;
const command = (text: string, more: Partial<ChatRequest> = {}) =>
  send(`${base}/commands`, new URLSearchParams({ text, user_id: "U1", team_id: "T1", trigger_id: "x" }).toString(), {
    type: formType,
    ...more,
  });
const grant = (more: Record<string, unknown> = {}, code = "1") => chat.addCode(code, { ...granted, ...more });
const workspaces = async () =>
  (await app.sql`select ref, name, app_id, token, scopes from chat_workspace order by ref`).map((row) => ({ ...row }));
const install = (query: string, cookie?: string) => app.as(null).get(`${base}/auth?${query}`, cookie === undefined ? {} : { cookie });
const cookieOf = ({ headers }: TestAnswer) => String(headers["set-cookie"]).split(";", 1)[0]!;

const unconfigured = { status: 409, body: { code: 1601, reason: "INTEGRATION_NOT_CONFIGURED" } };

describe.each([
  ["events", "application/json", JSON.stringify({ type: "event_callback", event: { type: "app_home_opened" } })],
  ["commands", formType, "text=help"],
  ["interactivity", formType, `payload=${encodeURIComponent("{}")}`],
])("POST %s", (path, type, body) => {
  const at = `${base}/${path}`;

  test("accepts what the platform has signed at most 300 seconds ago", async () => {
    expect((await send(at, body, { type })).status).toBe(200);
    expect((await send(at, body, { type, behindSeconds: 290 })).status).toBe(200);
    expect((await send(at, body, { type, behindSeconds: -290 })).status).toBe(200);
    const refused = { status: 401, body: { reason: "UNAUTHENTICATED" } };
    for (const behindSeconds of [310, -310]) expect(await send(at, body, { type, behindSeconds })).toMatchObject(refused);
    expect(await send(at, body, { type, secret: "wrong" })).toMatchObject(refused);
    expect(await send(at, body, { type, headers: { "x-slack-request-timestamp": "soon" } })).toMatchObject(refused);
    expect(await send(at, body, { type, headers: { "x-chat-signature": "v0=00" } })).toMatchObject(refused);
  });

  test("accepts no credential instead of the signature", async () => {
    const forged = { "content-type": type, "x-chat-signature": "v0=00", "x-chat-request-timestamp": "1" };
    expect((await app.as(null).post(at, body, forged)).status).toBe(401);
    expect(await admin.post(at, body, forged)).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    expect((await send(at, body, { type, token: "mrg_nonsense" })).status).toBe(401);
  });

  test.runIf(path === "events")("is refused without a signature header before anything else is checked", async () => {
    const refused = (missing: string) => ({ status: 400, body: { reason: "BAD_REQUEST", message: expect.stringContaining(missing) } });
    const both = "the header x-chat-request-timestamp is missing, and the header x-chat-signature is missing";
    expect(await app.as(null).post(at, body, { "content-type": type })).toMatchObject(refused(both));
    expect(await app.as("mrg_nonsense").post(at, "{", { "content-type": "text/csv" })).toMatchObject(refused(both));
    const one = { "content-type": type, "x-chat-signature": "v0=00" };
    expect(await admin.post(at, body, one)).toMatchObject(refused("the header x-chat-request-timestamp is missing"));
  });

  test.runIf(path !== "events")(
    "lacks its credential without a header of the signature, which the published interface does not require here",
    async () => {
      const refused = { status: 401, body: { reason: "UNAUTHENTICATED" } };
      expect(await app.as(null).post(at, body, { "content-type": type })).toMatchObject(refused);
      expect(await admin.post(at, body, { "content-type": type, "x-chat-signature": "v0=00" })).toMatchObject(refused);
    },
  );

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
      grant({ team: { id } });
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

  test("that reports a removal late, or only revoked user tokens, removes nothing", async () => {
    const ref = await kit.workspace();
    const nowSeconds = Math.floor(Date.now() / 1000);
    for (const body of [
      { event_time: nowSeconds - 60, event: { type: "app_uninstalled" } },
      { event: { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } } },
    ]) {
      expect((await send(`${base}/events`, { team_id: ref, ...body })).status).toBe(200);
    }
    expect((await workspaces()).map((one) => one["ref"])).toEqual([ref]);
    await send(`${base}/events`, { team_id: ref, event_time: nowSeconds + 5, event: { type: "tokens_revoked", tokens: { bot: ["U2"] } } });
    expect(await workspaces()).toEqual([]);
  });

  test("welcomes anyone who opens the app's home, once, and again only when the welcome did not get through", async () => {
    const ref = await kit.workspace();
    const open = async (user: unknown, workspace = ref) => {
      const answer = await send(`${base}/events`, { team_id: workspace, event: { type: "app_home_opened", user, tab: "home" } });
      expect(answer).toMatchObject({ status: 200, body: {} });
    };
    chat.reset();
    chat.fail("chat.postMessage", "CUT");
    await open("U1");
    await app.backgroundJobs.settled();
    await Promise.all([open("U1"), open("U1"), open("U1"), open("U2")]);
    for (const nobody of [undefined, 5, "", "<!channel>"]) await open(nobody);
    await open("U1", "T-unknown");
    await app.backgroundJobs.settled();
    const welcomed = chat.callsOf("chat.postMessage").map(({ args }) => args.channel);
    expect(welcomed.sort()).toEqual(["U1", "U1", "U2"]);
    expect(chat.calls.at(-1)?.args.text).toContain("`run WORKFLOW`");
    await app.sql`delete from chat_workspace`;
  });

  test("of any other form is accepted or a 400, never a 5xx", async () => {
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

  test("of any form is answered, and never with a 5xx", async () => {
    expect((await send(`${base}/commands`, "%ff&&=&text", { type: formType })).status).toBe(200);
    expect((await send(`${base}/commands`, { text: "help" })).status).toBe(415);
    expect((await send(`${base}/commands`, "", { type: formType })).body.text).toContain("`help`");
    const { status, body } = await command("list");
    expect([status, body.response_type]).toEqual([200, "ephemeral"]);
    expect(body.text).toContain("this workspace is unknown here");
  });
});

test.each(["payload=%7B%7D", "payload=5", "payload=%7B", "", "payload=%7B%22type%22%3A%22view_submission%22%7D"])(
  "the interaction %j is confirmed by an empty object",
  async (body) => {
    expect(await send(`${base}/interactivity`, body, { type: formType })).toMatchObject({ status: 200, body: {}, text: "{}" });
  },
);

describe("installing the app", () => {
  test("leads to the platform and back to the chat program, and keeps the token sealed", async () => {
    grant({}, "the-code");
    chat.reset();
    const begun = await app.as(null).get(`${base}/install`);
    expect(begun).toMatchObject({ status: 302, text: "" });
    const target = new URL(String(begun.headers["location"]));
    expect(target.origin + target.pathname).toBe("https://chat.example/oauth/v2/authorize");
    expect(target.searchParams.get("client_id")).toBe("client");
    const state = target.searchParams.get("state")!;
    const done = await install(`code=the-code&state=${encodeURIComponent(state)}`, cookieOf(begun));
    expect(done).toMatchObject({ status: 302, headers: { location: "chat://app?team=T%261&id=A1" }, text: "" });
    expect(chat.calls).toEqual([
      { method: "oauth.v2.access", token: undefined, args: { client_id: "client", client_secret: "client-secret", code: "the-code" } },
    ]);
    const [workspace] = await workspaces();
    expect(workspace).toMatchObject({ ref: "T&1", name: "Workspace", app_id: "A1", scopes: ["commands", "chat:write"] });
    expect(workspace!["token"]).not.toContain("xoxb");
    expect(app.keyring.openText(workspace!["token"], chatTokenPlace("T&1"))).toBe("xoxb-secret-token");
    const audits = JSON.stringify(await app.sql`select object_name, after from audit where object_name = 'Workspace'`);
    expect(audits).toContain("T&1");
    expect(audits).not.toContain("xoxb");
    expect(await install(`code=the-code&state=${encodeURIComponent(state)}`, cookieOf(begun))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("already finished") },
    });
  });

  test("accepts no code from a HEAD request", async () => {
    grant({ team: { id: "T-head" } });
    expect((await app.as(null).send("HEAD", `${base}/auth?code=1`)).status).toBe(405);
    expect((await workspaces()).filter(({ ref }) => ref === "T-head")).toEqual([]);
  });

  test("again replaces the token of the workspace", async () => {
    for (const access_token of ["first", "second"]) {
      grant({ access_token, team: { id: "T-again" }, app_id: undefined });
      expect((await install("code=1")).headers["location"]).toBe("chat://app?team=T-again&id=A-setting");
    }
    const again = (await workspaces()).filter(({ ref }) => ref === "T-again");
    expect(again.map(({ token }) => app.keyring.openText(token, chatTokenPlace("T-again")))).toEqual(["second"]);
  });

  test("refuses a state that is foreign, too old, or of another browser", async () => {
    chat.reset();
    const begun = await app.as(null).get(`${base}/install`);
    expect(String(begun.headers["set-cookie"])).toMatch(/HttpOnly.*SameSite=Lax/i);
    const state = new URL(String(begun.headers["location"])).searchParams.get("state")!;
    for (const wrong of ["", "x", state.slice(0, -4), `${"A"}${state.slice(1)}`]) {
      expect((await install(`code=1&state=${encodeURIComponent(wrong)}`, cookieOf(begun))).status, wrong).toBe(400);
    }
    const other = cookieOf(await app.as(null).get(`${base}/install`));
    for (const cookie of [undefined, other, "millrace-chat-install=x"]) {
      expect(await install(`code=1&state=${state}`, cookie)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("this browser") },
      });
    }
    await moveTime(app.sql, 601_000);
    expect((await install(`code=1&state=${state}`, cookieOf(begun))).status).toBe(400);
    await moveTime(app.sql, -601_000);
    expect(chat.calls).toEqual([]);
  });

  test.each<[string, number, unknown, number, string]>([
    ["a code that it refuses", 200, { ok: false, error: "invalid_code" }, 400, "BAD_REQUEST"],
    ["a refusal without a reason", 200, {}, 400, "BAD_REQUEST"],
    ["a failure of its own", 500, "oh", 409, "INTEGRATION_FAILED"],
    ["no JSON", 200, "<html>", 409, "INTEGRATION_FAILED"],
    ["JSON of another form", 200, "[1]", 409, "INTEGRATION_FAILED"],
    ["too much", 200, JSON.stringify({ ok: true, x: "x".repeat(1_100_000) }), 409, "INTEGRATION_FAILED"],
    ["too many calls", 429, "", 409, "INTEGRATION_FAILED"],
    ["no token", 200, { ...granted, access_token: undefined }, 409, "INTEGRATION_FAILED"],
    ["no workspace", 200, { ...granted, team: null }, 409, "INTEGRATION_FAILED"],
    ["a redirect", 302, "", 409, "INTEGRATION_FAILED"],
  ])("is refused when the platform answers with %s", async (_, answered, body, status, reason) => {
    chat.fail("oauth.v2.access", { status: answered, body: typeof body === "string" ? body : JSON.stringify(body), retryAfter: 30 });
    const before = await workspaces();
    const answer = await install("code=1");
    expect(answer).toMatchObject({ status, body: { reason } });
    expect(answer.text).not.toContain("client-secret");
    expect(await workspaces()).toEqual(before);
  });

  test("is refused when the platform does not answer at all", async () => {
    chat.fail("oauth.v2.access", "CUT");
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
  const payloadsOf = (workspace: string): [object, object] => [
    { type: "shortcut", team: { id: workspace }, trigger_id: "1.2.a" },
    { type: "event_callback", team_id: workspace, event_id: "Ev1" },
  ];

  test("answers the challenge, and starts the workflow that ref names by its id", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    expect(await send(at(), { type: "url_verification", challenge: "abc" })).toMatchObject({ status: 200, body: { challenge: "abc" } });
    for (const payload of payloadsOf(await kit.workspace([team.id]))) {
      const answer = await send(at(id), payload);
      expect(answer).toMatchObject({ status: 200, body: { workflowRef: id, initiatedByRef: "chat", initiatedByType: "instance" } });
      expect(paramsOf(answer.body)["data"]).toEqual(payload);
    }
    expect((await send(at("build"), { type: "shortcut" })).status).toBe(404);
    expect((await send(at(), { type: "shortcut" })).status).toBe(400);
    for (const body of [{ type: "other" }, {}, { type: "url_verification" }]) expect((await send(at(id), body)).status).toBe(400);
    expect(await app.sql`select 1 from run where team_id = ${team.id}`).toHaveLength(2);
  });

  test("of a workspace that is not linked to the team of the workflow starts nothing", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    const outsiders = [await kit.workspace(), await kit.workspace([(await app.make.team()).id]), "T-unknown", "\u0000", ""];
    for (const payload of outsiders.flatMap(payloadsOf))
      expect((await send(at(id), payload)).status, JSON.stringify(payload)).not.toBe(200);
    for (const payload of [{ type: "shortcut" }, { type: "shortcut", team: null }, { type: "event_callback", team_id: 7 }])
      expect((await send(at(id), payload)).status).toBe(404);
    expect(await app.sql`select 1 from run where team_id = ${team.id}`).toHaveLength(0);
  });

  test("starts nothing twice, however often the platform sends it", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    const workspace = await kit.workspace([team.id]);
    for (const payload of payloadsOf(workspace)) {
      const first = await send(at(id), payload);
      expect((await send(at(id), { ...payload, retry: 1 }, { behindSeconds: 60 })).body.id).toBe(first.body.id);
    }
    expect((await send(at(id), { type: "event_callback", team_id: workspace, event_id: "Ev2" })).status).toBe(200);
    expect(await app.sql`select 1 from run where team_id = ${team.id}`).toHaveLength(3);
  });

  test("with a credential starts only what the credential may start", async () => {
    const team = await app.make.team();
    const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
    const [shortcut] = payloadsOf(await kit.workspace([team.id]));
    const outsider = await app.make.teamToken((await app.make.team()).id);
    expect((await send(at(id), shortcut, { token: outsider })).status).toBe(404);
    expect((await send(at("build"), shortcut, { token: await app.make.teamToken(team.id) })).status).toBe(200);
  });

  test("is refused without a valid signature, before anything else is checked", async () => {
    expect((await send(at("x"), { type: "url_verification", challenge: "abc" }, { secret: "wrong" })).status).toBe(401);
    expect((await send(at("x"), {}, { secret: "wrong", headers: { "x-codehost-event": "push" } })).status).toBe(401);
    await setIntegrationSettings(app, {});
    expect(await send(at("x"), { type: "url_verification", challenge: "abc" })).toMatchObject(unconfigured);
  });
});
