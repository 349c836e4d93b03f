import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { testRunContext } from "../../test/kit/app.ts";
import { platformFetch } from "../../test/kit/platform-fetch.ts";
import { EventBus } from "../base/process/event-bus.ts";
import { createLog } from "../base/process/log.ts";
import { Keyring } from "../base/secret/keyring.ts";
import { newTokenText } from "../base/secret/token-text.ts";
import { CodehostClients } from "../integrations/codehost/codehost-client.ts";
import { createPool } from "../store/database/database.ts";
import { buildApp } from "./server.ts";

const sql = createPool({ url: "postgres://nobody@127.0.0.1:1/nothing" });
const keyring = new Keyring([randomBytes(32)]);
const services = {
  wake: () => {},
  runs: testRunContext(keyring),
  bus: new EventBus(),
  codehost: new CodehostClients(platformFetch),
  platformFetch,
};
const app = buildApp({ sql, keyring, config: {}, log: createLog("silent"), services });
afterAll(async () => {
  await app.close();
  await sql.end({ timeout: 0 });
});

test.each(["/ready", "/api/v2/team/roles"])("without a database %s answers 503 with Retry-After, not a 500", async (url) => {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${newTokenText("mrg_")}` } });
  expect({ status: answer.statusCode, reason: answer.json().reason, retry: answer.headers["retry-after"] }).toEqual({
    status: 503,
    reason: "NOT_READY",
    retry: "1",
  });
  expect((await app.inject("/health")).statusCode).toBe(200);
  expect((await app.inject({ url: "/health", headers: { authorization: `Bearer ${newTokenText("mrg_")}` } })).statusCode).toBe(200);
});
