import { createHmac } from "node:crypto";
import type { WorkflowTriggersInput } from "@millrace/contract/inbound/trigger.ts";
import { settingPlace } from "../../src/core/secret/sealed-places.ts";
import type { IntegrationKey } from "../../src/domain/integration/integration-settings.ts";
import type { TestAnswer, TestApp } from "./app.ts";

/** Creates what integrations need, and requests as the outside platforms send them. */

const secured = /(?:Secret|token|pem)$/;

/** Stores the settings of the group `integration`; those that are not given are removed. */
export async function setIntegrationSettings(
  app: Pick<TestApp, "sql" | "keyring">,
  values: Partial<Record<IntegrationKey, string>>,
): Promise<void> {
  await app.sql`delete from setting where group_key = 'integration'`;
  for (const [key, value] of Object.entries(values)) {
    const stored = secured.test(key) ? app.keyring.sealText(value, settingPlace("integration", key)) : value;
    await app.sql`insert into setting (group_key, key, value) values ('integration', ${key}, ${stored})`;
  }
}

/** A workflow with only start and end, created over the API. */
export async function makeTriggered(
  app: TestApp,
  team: string,
  name: string,
  triggers: WorkflowTriggersInput,
  more: Record<string, unknown> = {},
): Promise<string> {
  const answer = await app.as().post(`/api/v2/team/${team}/workflow`, { name, tasks: [], triggers, ...more });
  if (answer.status !== 200) throw new Error(`the workflow was refused: ${answer.text}`);
  return answer.body.id;
}

/** The values of a run's parameters, by name. */
export function paramsOf(run: { params: { name: string; value: unknown }[] }): Record<string, unknown> {
  return Object.fromEntries(run.params.map(({ name, value }) => [name, value]));
}

export interface ChatRequest {
  path: string;
  body: string;
  secret: string;
  token?: string | null;
  type?: string;
  /** Seconds by which the sender's clock is behind. */
  behindSeconds?: number;
  headers?: Record<string, string>;
}

/** Sends as the chat platform does, under the header names of the real one. */
export async function sendFromChat(app: TestApp, request: ChatRequest): Promise<TestAnswer> {
  const timestamp = String(Math.floor(Date.now() / 1000) - (request.behindSeconds ?? 0));
  const digest = createHmac("sha256", request.secret).update(`v0:${timestamp}:${request.body}`).digest("hex");
  return app.as(request.token ?? null).post(request.path, request.body, {
    "content-type": request.type ?? "application/json",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${digest}`,
    ...request.headers,
  });
}

export interface CodehostRequest {
  event: string;
  payload: unknown;
  /** Unsigned without a secret. */
  secret?: string;
  token?: string | null;
  delivery?: string;
}

/** Sends as the codehost does, under the header names of the real one. */
export async function sendFromCodehost(
  app: TestApp,
  { event, payload, secret, token = null, delivery }: CodehostRequest,
): Promise<TestAnswer> {
  const body = JSON.stringify(payload);
  return app.as(token).post("/api/v2/webhook", body, {
    "x-github-event": event,
    "x-github-hook-installation-target-id": "77",
    ...(delivery && { "x-github-delivery": delivery }),
    ...(secret !== undefined && { "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` }),
  });
}

/** An installation of the codehost's app, as its events describe it. */
export function installationOf(id: number, login = `org-${id}`) {
  return {
    id,
    app_id: 77,
    account: { id: id + 1000, login, type: "Organization", html_url: `https://codehost.example/${login}` },
    events: ["push", "pull_request"],
    suspended_at: null,
  };
}
