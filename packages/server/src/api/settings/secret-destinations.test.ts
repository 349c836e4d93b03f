import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { settingGroups } from "../../core/settings/instance-settings.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { readMailSettings } from "../../domain/settings/mail-settings.ts";

/** A stored secret is only sent where it was meant for. */

const app = await testApp();
const operator = app.as(await app.make.userToken((await app.make.user({ type: "operator" })).id));
const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();

/** By an operator, except for the address of the chat platform, which only administrators may change. */
const put = (group: string, values: Record<string, unknown>) =>
  ("chat.baseURL" in values ? app.as() : operator).put("/api/v2/settings", [
    { id: group, config: Object.entries(values).map(([key, value]) => ({ key, value })) },
  ]);
const mail = {
  host: "mail.example.com",
  port: "587",
  security: "starttls",
  user: "millrace",
  password: "smtp-pass-word",
  from: "m@example.com",
};
const integration = { "chat.clientSecret": "chat-client-secret", "chat.token": "xoxb-chat-token", "codehost.pem": pem };

beforeEach(async () => {
  await app.sql`delete from setting`;
  expect((await put("mail", mail)).status).toBe(200);
  expect((await put("integration", integration)).status).toBe(200);
});

test("every secret says where it goes, and every place is a setting of its group", () => {
  for (const { settings } of settingGroups) {
    const keys = settings.map(({ key }) => key);
    for (const setting of settings) {
      if (setting.type !== "secured") continue;
      expect(keys).toEqual(expect.arrayContaining([...setting.sentTo]));
      for (const place of settings.filter(({ key, type }) => type === "url" && setting.sentTo.includes(key))) {
        expect(place).toMatchObject({ takesSecrets: true });
      }
    }
  }
});

describe("changing where a stored secret is sent needs the secret", () => {
  test.each([
    ["mail", { host: "listener.example.net" }, "mail/password"],
    ["mail", { port: "2525" }, "mail/password"],
    ["mail", { security: "tls" }, "mail/password"],
    ["mail", { host: "listener.example.net", password: "" }, "mail/password"],
    ["mail", { host: "listener.example.net", password: null }, "mail/password"],
    ["integration", { "chat.baseURL": "https://chat.example.net/api" }, "integration/chat.clientSecret"],
    ["integration", { "chat.baseURL": "https://chat.example.net/api", "chat.token": "xoxb-another" }, "integration/chat.clientSecret"],
    ["integration", { "codehost.baseURL": "https://code.example.net/api/v3" }, "integration/codehost.pem"],
  ])("%s %j", async (group, values, secret) => {
    const before = await app.sql`select group_key, key, value from setting order by 1, 2`;
    const answer = await put(group, values);
    expect(answer).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED" } });
    expect(answer.body.errors).toContainEqual({ path: "/0/config/0/value", message: expect.stringContaining(`send ${secret} again`) });
    expect(await app.sql`select group_key, key, value from setting order by 1, 2`).toEqual(before);
    for (const clear of ["smtp-pass-word", "xoxb-chat-token", "chat-client-secret"]) expect(answer.text).not.toContain(clear);
  });

  test.each([
    ["mail", { host: "other.example.com", port: "465", security: "tls", password: "another-pass-word" }],
    ["mail", { from: "other@example.com", user: "someone", domains: "example.com" }],
    ["mail", { host: mail.host, port: mail.port }],
    ["mail", { host: "" }],
    [
      "integration",
      { "chat.baseURL": "https://chat.example.net/api", "chat.clientSecret": "another-secret", "chat.token": "xoxb-another" },
    ],
    ["integration", { "codehost.baseURL": "https://code.example.net/api/v3", "codehost.pem": pem }],
    ["integration", { "codehost.webhookSecret": "codehost-webhook-secret", "chat.installURL": "https://chat.example.net/install" }],
  ])("%s %j is fine", async (group, values) => expect((await put(group, values)).status).toBe(200));

  test("also from an empty destination, and back to the default", async () => {
    await put("mail", { host: "" });
    expect((await put("mail", { host: "listener.example.net" })).status).toBe(400);
    const moved = { "codehost.baseURL": "https://code.example.net/api/v3", "codehost.pem": pem };
    expect((await put("integration", moved)).status).toBe(200);
    expect((await put("integration", { "codehost.baseURL": "" })).status).toBe(400);
  });

  test("of two concurrent changes, the new secret is never sent to the other's destination", async () => {
    for (let round = 0; round < 5; round++) {
      const [moved] = await Promise.all([
        put("mail", { host: `listener-${round}.example.net` }),
        put("mail", { host: `good-${round}.example.com`, password: "another-pass-word" }),
      ]);
      expect(moved.status).toBe(400);
      expect(await readMailSettings(app.sql, app.keyring)).toMatchObject({ host: `good-${round}.example.com` });
    }
  });

  test("the settings say which ones belong to a secret", async () => {
    const { body } = await operator.get("/api/v2/settings");
    const password = body.find(({ key }: { key: string }) => key === "mail").config.find(({ key }: { key: string }) => key === "password");
    expect(password).toMatchObject({ value: "", sentTo: ["host", "port", "security"] });
  });
});

describe("no credential crosses a network in clear", () => {
  test("a password for a mail server needs encryption, except on this machine", async () => {
    const wrong = await put("mail", { security: "none", password: mail.password });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringContaining("unencrypted") }] } });
    expect((await put("mail", { security: "none", host: "127.0.0.1", password: mail.password })).status).toBe(200);
    expect((await put("mail", { host: "10.0.0.9", password: mail.password })).status).toBe(400);
    expect((await put("mail", { security: "none", host: "10.0.0.9", user: "", password: mail.password })).status).toBe(200);
    expect((await put("mail", { user: "millrace" })).status).toBe(400);
  });

  test("an unencrypted one stored by an older version is not used", async () => {
    await app.sql`insert into setting (group_key, key, value) values ('mail', 'security', 'none'), ('integration', 'chat.baseURL', 'http://10.0.0.9')`;
    expect(await readMailSettings(app.sql, app.keyring)).toEqual({ fault: expect.stringContaining("unencrypted") });
    const settings = await readIntegrationSettings(app.sql, app.keyring);
    expect(() => settings.get("chat.baseURL")).toThrow("https://");
  });

  test.each(["chat.baseURL", "codehost.baseURL"])("%s begins with https, except on this machine", async (key) => {
    const secrets = { "chat.clientSecret": "another-secret", "chat.token": "xoxb-another", "codehost.pem": pem };
    for (const [address, status] of [
      ["http://platform.example.com/api", 400],
      ["http://10.0.0.9/api", 400],
      ["http://127.0.0.1.example.com/api", 400],
      ["http://127.0.0.1:9/api", 200],
      ["http://[::1]:9/api", 200],
      ["https://platform.example.com/api", 200],
    ] as const) {
      expect([address, (await put("integration", { [key]: address, ...secrets })).status]).toEqual([address, status]);
    }
  });
});
