import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { createWebhookSender } from "../../channels/webhook-sender.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { readWebhookTarget, sealClearWebhooks } from "../../domain/outbound/webhook-target.ts";

/** The address of a webhook may be a secret, and its own secret is sent to no other address. */

const app = await testApp();
const token = "aBcDeFgHiJkLmNoPqRsTuVwX";
const url = `https://hooks.example.com/services/T0123ABCD/${token}?key=s3cretvalue`;
const shown = "https://hooks.example.com/services/***/***?key=***";

async function subscription() {
  const team = await app.make.team();
  const path = `/api/v2/team/${team.name}/subscription`;
  const made = await app.as().post(path, { name: "chat", target: { url } });
  expect(made.status).toBe(200);
  const stored = async () =>
    (await app.sql`select target, secret, old_secret from subscription where id = ${made.body.id}`)[0] as {
      target: Record<string, string>;
      secret: string;
      old_secret: string | null;
    };
  const opened = async () => {
    const { target, secret } = await stored();
    const delivery = { subscriptionId: made.body.id, target, secrets: [secret] } as unknown as ClaimedDelivery;
    return readWebhookTarget(app.sql, app.keyring, delivery);
  };
  return { id: made.body.id as string, at: `${path}/${made.body.id}`, path, made, stored, opened };
}

test("an address with a secret is sealed in the database, masked in every answer and in the audit, and used in clear", async () => {
  const { at, path, made, stored, opened } = await subscription();
  expect(made.body.target).toEqual({ url: shown });
  const answers = [made, await app.as().get(at), await app.as().get(`${path}/query`), await app.as().patch(at, { isActive: false })];
  for (const { text } of answers) expect(text).not.toMatch(new RegExp(`${token}|s3cretvalue|mrsealed`));
  expect(JSON.stringify(await stored())).not.toMatch(new RegExp(`${token}|s3cretvalue`));
  const audit = await app.sql`select a::text as row from audit a`;
  expect(JSON.stringify(audit)).not.toMatch(new RegExp(`${token}|s3cretvalue|mrsealed`));
  const { target, secrets } = await opened();
  expect(target).toEqual({ url, secrets: [made.body.secret] });
  expect(secrets).toEqual(expect.arrayContaining([token, "s3cretvalue", "T0123ABCD"]));
});

test("what was read can be written back", async () => {
  const { at, stored, opened, made } = await subscription();
  const { secret } = await stored();
  for (const [method, more] of [
    ["PATCH", {}],
    ["PUT", { name: "chat" }],
  ] as const) {
    expect((await app.as().send(method, at, { ...more, target: { url: shown } })).status).toBe(200);
  }
  expect((await app.as().patch(at, { target: { url } })).status).toBe(200);
  expect((await stored()).secret).toBe(secret);
  expect((await opened()).target).toEqual({ url, secrets: [made.body.secret] });
});

test("a new address needs a secret in the same request, and only that signs from then on", async () => {
  const { at, stored, opened } = await subscription();
  await app.as().post(`${at}/rotate`, {});
  const before = await stored();
  for (const [method, body] of [
    ["PATCH", { target: { url: "https://listener.example.net/" } }],
    ["PATCH", { target: { url: "https://listener.example.net/" }, secret: "" }],
    ["PATCH", { target: { url: `${url}2` } }],
    ["PUT", { name: "chat", target: { url: "https://listener.example.net/" } }],
  ] as const) {
    expect(await app.as().send(method, at, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/secret", message: expect.stringContaining("in the same request") }] },
    });
  }
  expect(await stored()).toEqual(before);
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const answer = await app.as().patch(at, { target: { url: "https://other.example.net/hook" }, secret });
  expect(answer).toMatchObject({ status: 200, body: { target: { url: "https://other.example.net/hook" }, secret: "" } });
  expect(answer.text).not.toContain(secret);
  expect((await stored()).old_secret).toBeNull();
  expect((await opened()).target).toEqual({ url: "https://other.example.net/hook", secrets: [secret] });
  expect((await app.as().patch(at, { secret })).status).toBe(400);
});

test("an address that an older version stored in clear is shown masked, and sealed at the next start", async () => {
  const { id, at, stored, opened } = await subscription();
  await app.sql`update subscription set target = ${JSON.stringify({ url })}::json where id = ${id}`;
  expect((await app.as().get(at)).body.target).toEqual({ url: shown });
  expect((await opened()).target.url).toBe(url);
  await Promise.all([sealClearWebhooks(app.sql, app.keyring), sealClearWebhooks(app.sql, app.keyring)]);
  expect(JSON.stringify(await stored())).not.toContain(token);
  expect((await opened()).target.url).toBe(url);
});

test("an envelope that was copied to another subscription does not open there", async () => {
  const [one, other] = [await subscription(), await subscription()];
  await app.sql`update subscription set target = ${JSON.stringify((await one.stored()).target)}::json where id = ${other.id}`;
  await expect(other.opened()).rejects.toThrow();
});

test("an address that the receiver repeats does not appear in the error of the delivery", async () => {
  const server = createServer((request, response) => void response.writeHead(404).end(`Cannot POST ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const sender = createWebhookSender({ allow: ["127.0.0.1"] });
  onTestFinished(() => sender.close?.());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/${token}`;
  const delivery = { deliveryId: "d", event: {} as never, attempt: 1, signal: AbortSignal.timeout(5000) };
  const report = await sender.send(delivery, { url: address, secrets: [`whsec_${Buffer.alloc(32, 7).toString("base64")}`] });
  expect(report.error).not.toContain(token);
});
