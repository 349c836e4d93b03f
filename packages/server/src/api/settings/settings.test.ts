import { generateKeyPairSync } from "node:crypto";
import { Writable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { createLog } from "../../base/process/log.ts";
import { settingPlace } from "../../core/secret/sealed-places.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";

let logged = "";
const destination = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});
const app = await testApp({ log: createLog("trace", destination) });
const admin = app.as();
const path = "/api/v2/settings";

interface Config {
  key: string;
  value: string;
  [member: string]: unknown;
}
interface Group {
  id: string;
  config: Config[];
  [member: string]: unknown;
}

const put = (group: string, values: Record<string, unknown>) =>
  admin.put(path, [{ id: group, config: Object.entries(values).map(([key, value]) => ({ key, value })) }]);
const read = async (): Promise<Group[]> => (await admin.get(path)).body;
const find = (groups: Group[], group: string, key: string) =>
  groups.find(({ id }) => id === group)?.config.find((setting) => setting.key === key);
const setting = async (group: string, key: string) => find(await read(), group, key);
const auditRecords = () =>
  app.sql`select action, object_kind as kind, object_name as name, before, after from audit where object_kind = 'setting' order by id desc`;

beforeEach(async () => {
  await app.sql`delete from setting`;
});

describe("GET settings", () => {
  test("lists every group with its settings, their defaults in force", async () => {
    const groups = await read();
    expect(groups.map(({ id, key, type }) => [id, key, type])).toEqual(
      [
        "task",
        "teams",
        "features",
        "workflowrun",
        "workflow",
        "integration",
        "mail",
        "invitations",
        "customizations",
        "api",
        "history",
        "alerts",
      ].map((id) => [id, id, "ValuesList"]),
    );
    for (const { config, name, description } of groups) {
      expect(config.length > 0 && name !== "" && description !== "").toBe(true);
      for (const { value, defaultValue } of config) expect([typeof value, value]).toEqual(["string", defaultValue]);
    }
    expect(find(groups, "teams", "max.workflowrun.monthly")).toMatchObject({
      type: "number",
      value: "1000000000",
      required: true,
      hiddenValue: false,
    });
    expect(find(groups, "teams", "max.workflow.storage")).toMatchObject({ type: "text", value: "2Gi" });
    expect(find(groups, "task", "deletion.policy")).toMatchObject({
      type: "select",
      options: [{ key: "Never" }, { key: "OnSuccess" }, { key: "Always" }],
    });
    expect(find(groups, "features", "teamQuotas")).toMatchObject({ type: "boolean", value: "true", required: false });
    const required = groups.flatMap(({ config }) => config).filter((one) => one["required"]);
    expect(new Set(required.map(({ type }) => type))).toEqual(new Set(["number", "text", "select"]));
    expect(find(groups, "api", "rate.burst")?.value).toBe("20000");
    const integration = groups.find(({ id }) => id === "integration")?.config ?? [];
    expect(integration.filter(({ type }) => type === "secured").map(({ key }) => key)).toEqual([
      "chat.clientSecret",
      "chat.signingSecret",
      "chat.token",
      "codehost.pem",
      "codehost.webhookSecret",
    ]);
  });

  test("can be written back as it was read, and nothing changes", async () => {
    await put("integration", { "chat.token": "token-of-the-chat" });
    const before = await app.sql`select settings_revision as revision from instance`;
    const groups = await read();
    const answer = await admin.put(path, groups, { prefer: "handling=strict" });
    expect([answer.status, answer.body]).toEqual([200, groups]);
    expect(await app.sql`select settings_revision as revision from instance`).toEqual(before);
    expect((await app.sql`select group_key from setting`).length).toBe(1);
  });

  test("needs the permission to read the system", async () => {
    const team = await app.make.team();
    const owner = (await app.make.member(team.id, "owner")).token;
    const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
    expect((await app.as(null).get(path)).status).toBe(401);
    expect((await app.as(owner).get(path)).status).toBe(403);
    expect((await app.as(operator).get(path)).status).toBe(200);
    expect((await app.as(await app.make.globalToken(["workflow/read"])).get(path)).status).toBe(403);
  });
});

/**
 * Anyone with the signing secret, or with control of the platform's responses, can act as anyone in the chat: votes and runs count as those
 * of the person they name.
 */
describe("whether the chat platform identifies people", () => {
  const change = (token: string | undefined, values: Record<string, unknown>) =>
    app.as(token).put(path, [{ id: "integration", config: Object.entries(values).map(([key, value]) => ({ key, value })) }]);

  test.each([{ "chat.signingSecret": "another-secret" }, { "chat.baseURL": "https://chat.example.net/api", "codehost.appName": "mill" }])(
    "is for administrators, and not for operators: %j",
    async (values) => {
      const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
      const narrow = await app.make.globalToken(["system/write", "integration/write"]);
      for (const token of [operator, narrow]) {
        expect(await change(token, values)).toMatchObject({ status: 403, body: { message: expect.stringContaining("administrator") } });
      }
      expect(await app.sql`select 1 from setting`).toHaveLength(0);
      expect((await change(undefined, values)).status).toBe(200);
      expect((await change(operator, { ...values, "chat.signingSecret": "" })).status).toBe(200);
      expect((await change(operator, { "chat.appId": "A1" })).status).toBe(200);
    },
  );
});

describe("PUT settings", () => {
  test("changes what has a value, leaves the rest, and answers all groups", async () => {
    const answer = await put("teams", { "max.workflow.count": "30", "max.workflow.storage": "4", "max.workflowrun.monthly": null });
    expect(answer.status).toBe(200);
    expect(find(answer.body, "teams", "max.workflow.count")).toMatchObject({ value: "30", defaultValue: "1000" });
    expect(find(answer.body, "teams", "max.workflow.storage")?.value).toBe("4Gi");
    expect(find(answer.body, "teams", "max.workflowrun.monthly")?.value).toBe("1000000000");
    expect(answer.body).toEqual(await read());
    const [teams, task] = ["teams", "task"].map((id) => answer.body.find((group: Group) => group.id === id));
    expect(Date.parse(teams.lastModified)).toBeGreaterThan(Date.parse("2020-01-01"));
    expect(teams.lastModiifed).toBe(teams.lastModified);
    expect(task.lastModified).toBeNull();
  });

  test("takes numbers and booleans beside texts, and answers texts", async () => {
    expect((await put("teams", { "max.workflow.count": 30, "max.workflow.storage": 4 })).status).toBe(200);
    expect((await put("features", { insights: false })).status).toBe(200);
    expect((await setting("teams", "max.workflow.count"))?.value).toBe("30");
    expect((await setting("teams", "max.workflow.storage"))?.value).toBe("4Gi");
    expect((await setting("features", "insights"))?.value).toBe("false");
    expect((await put("features", { insights: true })).status).toBe(200);
    expect((await setting("features", "insights"))?.value).toBe("true");
  });

  test("finds a group by its key too, and stores only what differs from the default", async () => {
    await admin.put(path, [{ key: "task", config: [{ key: "debug", value: "true" }] }]);
    expect(await app.sql`select group_key as "group", key, value from setting`).toEqual([{ group: "task", key: "debug", value: "true" }]);
    await put("task", { debug: "false" });
    expect((await app.sql`select key from setting`).length).toBe(0);
    expect((await setting("task", "debug"))?.value).toBe("false");
    expect((await read()).find(({ id }) => id === "task")?.["lastModified"]).not.toBeNull();
  });

  test.each([
    ["an unknown group", [{ id: "team", config: [] }], "/0/id", "one of task, teams"],
    ["no group", [{ config: [] }], "/0/key", "is missing"],
    ["id and key of two groups", [{ id: "teams", key: "task" }], "/0/id", "give the same"],
    ["a group twice", [{ id: "teams" }, { key: "teams" }], "/1", "once"],
    ["an unknown key", [{ id: "task", config: [{ key: "max.workflow.count", value: "1" }] }], "/0/config/0/key", "group task has debug"],
    ["a key twice", [{ id: "task", config: [{ key: "debug" }, { key: "debug" }] }], "/0/config/1/key", "once"],
    ["no number", [{ id: "teams", config: [{ key: "max.workflow.count", value: "many" }] }], "/0/config/0/value", "a whole number from 0"],
    ["a value that is a list", [{ id: "teams", config: [{ key: "max.workflow.count", value: [5] }] }], "/0/config/0/value", "string"],
    [
      "a broken number",
      [{ id: "teams", config: [{ key: "max.workflow.count", value: 5.5 }] }],
      "/0/config/0/value",
      'is "5.5"; it must be a whole',
    ],
    [
      "a boolean for a number",
      [{ id: "teams", config: [{ key: "max.workflow.count", value: true }] }],
      "/0/config/0/value",
      'is "true"; it must be',
    ],
    [
      "a number for a boolean",
      [{ id: "features", config: [{ key: "insights", value: 1 }] }],
      "/0/config/0/value",
      'is "1"; it must be one of',
    ],
    [
      "a default above the largest size",
      [{ id: "workflow", config: [{ key: "storage.size", value: "6Gi" }] }],
      "/0/config/0/value",
      "above workflow/max.storage.size 5Gi",
    ],
    [
      "a largest size below the default",
      [{ id: "workflow", config: [{ key: "max.storage.size", value: "512Mi" }] }],
      "/0/config/0/value",
      "storage.size 1Gi",
    ],
    ["no list", { id: "teams" }, "", "array"],
    [
      "a key that is not a private key",
      [{ id: "integration", config: [{ key: "codehost.pem", value: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }] }],
      "/0/config/0/value",
      "not a readable private key",
    ],
  ])("refuses %s", async (_, body, at, message) => {
    const answer = await admin.put(path, body);
    expect([answer.status, answer.body.reason]).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.errors).toEqual([{ path: at, message: expect.stringContaining(message) }]);
    expect((await app.sql`select key from setting`).length).toBe(0);
  });

  test("changes nothing when anything is wrong, and names every fault", async () => {
    const answer = await admin.put(path, [
      {
        id: "teams",
        config: [
          { key: "max.workflow.count", value: "30" },
          { key: "max.workflowrun.monthly", value: "-3" },
        ],
      },
      { id: "features", config: [{ key: "insights", value: "perhaps" }] },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["/0/config/1/value", "/1/config/0/value"]);
    expect((await setting("teams", "max.workflow.count"))?.value).toBe("1000");
  });

  test("both sizes of a workspace can be raised in one request", async () => {
    expect((await put("workflowrun", { "storage.size": "8Gi", "max.storage.size": "10Gi" })).status).toBe(200);
  });

  test("concurrent writes have the same result as sequential ones", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => put("workflow", at % 2 ? { "storage.size": "4Gi" } : { "max.storage.size": "2Gi" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const values = await Promise.all(["storage.size", "max.storage.size"].map(async (key) => (await setting("workflow", key))?.value));
    expect([
      ["4Gi", "5Gi"],
      ["1Gi", "2Gi"],
    ]).toContainEqual(values);
  });

  test("needs the permission to write the system, and leaves an audit record of the changes", async () => {
    const team = await app.make.team();
    const owner = (await app.make.member(team.id, "owner")).token;
    const auditor = await app.make.globalToken(["**/read"]);
    expect((await app.as(null).put(path, [])).status).toBe(401);
    expect((await app.as(owner).put(path, [])).status).toBe(403);
    expect((await app.as(auditor).put(path, [])).status).toBe(403);
    await put("teams", { "max.workflow.count": "31", "max.workflowrun.monthly": "1000000000" });
    const [record] = await auditRecords();
    expect(record).toEqual({
      action: "system/write",
      kind: "setting",
      name: "teams",
      before: { config: [{ key: "max.workflow.count", value: "1000" }] },
      after: { config: [{ key: "max.workflow.count", value: "31" }] },
    });
  });
});

describe("a secret", () => {
  test("is sealed, never read back, kept when left empty, and decrypted where it is used", async () => {
    const answer = await put("integration", { "chat.signingSecret": "signing-secret-of-the-chat", "chat.appId": "A1" });
    expect(find(answer.body, "integration", "chat.signingSecret")).toMatchObject({
      value: "",
      defaultValue: "",
      hiddenValue: true,
      placeholder: "Set",
    });
    expect((await setting("integration", "chat.token"))?.["placeholder"]).toBe("Not set");
    expect(answer.text + (await admin.get(path)).text).not.toMatch(/signing-secret-of-the-chat|mrsealed/);
    const stored = async () => (await app.sql`select value from setting where key = 'chat.signingSecret'`)[0]?.["value"] as string;
    const sealed = await stored();
    expect(sealed).not.toContain("signing-secret");
    expect(app.keyring.openText(sealed, settingPlace("integration", "chat.signingSecret"))).toBe("signing-secret-of-the-chat");
    expect(() => app.keyring.openText(sealed, settingPlace("integration", "chat.token"))).toThrow();
    for (const kept of ["", null, undefined]) {
      await put("integration", { "chat.signingSecret": kept });
      expect(await stored()).toBe(sealed);
    }
    const integration = await readIntegrationSettings(app.sql, app.keyring);
    expect([integration.get("chat.signingSecret"), integration.get("chat.appId"), integration.get("chat.token")]).toEqual([
      "signing-secret-of-the-chat",
      "A1",
      "",
    ]);
  });

  test("appears neither in the audit, nor in errors, nor in the log", async () => {
    await put("integration", { "chat.token": "secret-for-the-audit" });
    const [record] = await auditRecords();
    const masked = { config: [{ key: "chat.token", value: "", hiddenValue: true }] };
    expect(record).toMatchObject({ before: masked, after: masked });
    for (const value of [
      "secret of two words",
      "se\u0000cret of NUL",
      31_415_926,
      ["secret in a list"],
      { secret: "secret of an object" },
    ]) {
      const answer = await put("integration", { "chat.clientSecret": value });
      expect([value, answer.status]).toEqual([value, 400]);
      expect(answer.text).not.toMatch(/secret of|cret of NUL|secret in|31415926/);
    }
    expect(JSON.stringify(await app.sql`select audit::text as row from audit`)).not.toContain("secret-for-the-audit");
    expect(logged).toContain("/api/v2/settings");
    expect(logged).not.toMatch(/secret-for-the-audit|secret of|cret of NUL|secret in|31415926/);
  });

  test("can be a private key", async () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    expect((await put("integration", { "codehost.pem": privateKey })).status).toBe(200);
    expect((await readIntegrationSettings(app.sql, app.keyring)).get("codehost.pem")).toBe(privateKey);
    const broken = privateKey.replace(/\n[A-Za-z0-9+/]{60,}\n/, "\n");
    const answer = await put("integration", { "codehost.pem": broken });
    expect([answer.status, answer.text.includes(broken.split("\n")[3] ?? "?")]).toEqual([400, false]);
  });
});
