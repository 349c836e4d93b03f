import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { hasNginx, type Nginx, startNginx, whyNoNginx } from "../../fakes/nginx.ts";
import { adminToken } from "../../kit/app.ts";
import { cheapPasswordHash } from "../../kit/cheap-password.ts";
import { logKit } from "../../kit/history/log-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Behind a real nginx with TLS, configured as docs/reverse-proxy.md says. */
const host = "millrace.example.com";
const publicUrl = `https://${host}`;
const parts = await logKit({
  config: { publicUrl, proxy: { addresses: ["127.0.0.1"], emailHeader: undefined, nameHeader: "x-forwarded-user" } },
});
const { app, write, claimed, kit, team } = parts;
let nginx: Nginx;

if (!hasNginx) console.info(`skipped: ${whyNoNginx}`);
beforeAll(async () => {
  if (!hasNginx) return;
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  nginx = await startNginx((app.server.server.address() as AddressInfo).port);
});
afterAll(() => nginx?.stop());

function call(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: unknown, proxy = nginx): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type = text === undefined ? {} : { "content-type": "application/json" };
    const options = { method, path, host: "127.0.0.1", port: proxy.port, servername: host, ca: proxy.ca, agent: false } as const;
    const sent = request({ ...options, headers: { host, ...type, ...headers } }, resolve).on("error", reject);
    sent.end(text);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  return text;
}

/** Reads until the text has arrived. If the proxy buffered the response, it would never arrive. */
async function comes(answer: AsyncIterator<string>, wanted: string): Promise<void> {
  for (let text = ""; !text.includes(wanted); ) {
    const { value, done } = await answer.next();
    if (done === true) throw new Error(`ended before ${wanted}: ${text}`);
    text += value;
  }
}

const admin = { authorization: `Bearer ${adminToken}` };

test.skipIf(!hasNginx)("each line of a log arrives while the task runs", async () => {
  const { claim, path } = await claimed();
  const answer = await call("GET", path, admin);
  expect(answer.statusCode).toBe(200);
  const lines = answer.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>;
  for (const [seq, line] of ["first line", "second line", "third line"].entries()) {
    await write(claim, seq, [line]);
    await comes(lines, `${line}\n`);
  }
  await kit.end(claim);
  expect((await lines.next()).done).toBe(true);
});

test.skipIf(!hasNginx)("a log stream that a proxy cuts while idle is resumed from the next line", async () => {
  const impatient = await startNginx((app.server.server.address() as AddressInfo).port, "1s");
  onTestFinished(() => impatient.stop());
  const { claim, path } = await claimed();
  await write(claim, 0, ["first line"]);
  const cut = await call("GET", path, admin, undefined, impatient);
  await expect(textOf(cut)).rejects.toThrow("aborted");
  expect(cut.complete).toBe(false);
  await write(claim, 1, ["second line"]);
  await kit.end(claim);
  const rest = await call("GET", `${path}?fromLine=2`, admin, undefined, impatient);
  expect(await textOf(rest)).toBe("second line\n");
  expect(rest.complete).toBe(true);
});

test.skipIf(!hasNginx)("events of a stream of changes arrive one by one", async () => {
  const { path, workflow: save, submit } = await team();
  await save("works", workflow(node("work", "script", ["start"])));
  const answer = await call("GET", `${path}/changes`, admin);
  expect(answer.headers["content-type"]).toMatch("text/event-stream");
  const events = answer.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>;
  await comes(events, "retry:");
  const { id } = await submit("works");
  await comes(events, id);
  answer.destroy();
});

test.skipIf(!hasNginx)(
  "a person signs in from the address that nginx saw, stays signed in by a cookie that is bound to the host, and signs out",
  async () => {
    const password = "correct horse battery";
    const user = await app.make.user();
    const hash = await cheapPasswordHash(password);
    await app.sql`update app_user set password_hash = ${hash} where id = ${user.id}`;
    const page = { origin: publicUrl, "sec-fetch-site": "same-origin" };
    // The address is the one that nginx saw, whatever the client claims.
    const signedIn = await call(
      "POST",
      "/api/v2/auth/password",
      { ...page, "x-forwarded-for": "203.0.113.9" },
      { email: user.email, password },
    );
    expect(signedIn.statusCode, await textOf(signedIn)).toBeLessThan(300);
    expect(signedIn.headers["strict-transport-security"]).toMatch(/max-age/);
    const [set = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [session] = await app.sql<{ address: string }[]>`select client_address as address from token where user_id = ${user.id}`;
    expect(session?.address).toBe("127.0.0.1");
    const cookie = set.split(";", 1)[0]!;
    const profile = async () => (await call("GET", "/api/v2/profile", { cookie })).statusCode;
    expect(await profile()).toBe(200);
    // Browsers of some years ago send only an Origin header.
    const foreign = await call("POST", "/api/v2/auth/sign-out", { cookie, origin: "https://elsewhere.example.com" });
    expect(foreign.statusCode).toBe(403);
    expect((await call("POST", "/api/v2/auth/sign-out", { cookie, origin: publicUrl })).statusCode).toBeLessThan(300);
    expect(await profile()).toBe(401);
  },
);
