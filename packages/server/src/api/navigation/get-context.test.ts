import { beforeEach, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp({ isActivated: false });
const set = (id: string, values: Record<string, string>) =>
  app.as().put("/api/v2/settings", [{ id, config: Object.entries(values).map(([key, value]) => ({ key, value })) }]);
const read = () => app.as(null).get("/api/v2/context");

beforeEach(async () => {
  await set("customizations", {
    appName: "Millrace",
    platformName: "",
    displayLogo: "true",
    logoURL: "",
    signOutUrl: "",
    communityUrl: "",
  });
});

test("GET context needs no credential and no activation, and says what the instance is", async () => {
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(body).toEqual({
    platform: {
      name: "Millrace",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      appName: "Millrace",
      platformName: "",
      signOutUrl: "",
      communityUrl: "",
      displayLogo: true,
      logoURL: "",
      privateTeams: false,
      sendMail: false,
      baseServicesUrl: "http://127.0.0.1:8080/api/v2",
      baseEnvUrl: "http://127.0.0.1:8080",
    },
    features: {
      "notifications.enabled": false,
      "support.enabled": false,
      "docs.enabled": true,
      "internal.enabled": true,
      "consent.enabled": false,
    },
    navigation: [],
    featuredServices: null,
    platformMessage: null,
  });
});

test("follows the settings", async () => {
  const addresses = {
    logoURL: "https://example.com/logo.svg",
    signOutUrl: "https://example.com/out",
    communityUrl: "https://example.com/help",
  };
  await set("customizations", { ...addresses, platformName: "Acme", appName: "Flows", displayLogo: "false" });
  const { body } = await read();
  expect(body.platform).toMatchObject({ ...addresses, name: "Acme Flows", appName: "Flows", platformName: "Acme", displayLogo: false });
  expect(body.features["support.enabled"]).toBe(true);
});

test("shows nothing of the integrations", async () => {
  await set("integration", { "chat.token": "secret-of-the-chat", "chat.appId": "id-of-the-chat" });
  expect((await read()).text).not.toMatch(/of-the-chat|mrsealed/);
});

test("the message of the instance is shown to everyone", async () => {
  const warned = await testApp({
    services: { notices: () => [{ title: "Scripts are not isolated", text: "scripts run without a sandbox" }] },
  });
  const { body } = await warned.as(null).get("/api/v2/context");
  expect(body.platformMessage).toEqual({ kind: "warning", title: "Scripts are not isolated", message: "Scripts run without a sandbox." });
});
