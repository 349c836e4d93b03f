import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { addInstallation, fakeCodehost } from "../../../test/fakes/fake-codehost.ts";
import { platformFetch } from "../../../test/kit/platform-fetch.ts";
import { CodehostClient, CodehostClients } from "./codehost-client.ts";
import type { CodehostError } from "./codehost-error.ts";
import { readCodehostKey } from "./codehost-octokit.ts";

const host = await fakeCodehost();
const app = { apiUrl: host.url, appId: host.appId, pem: host.pem, fetch: platformFetch };
const client = (more: Partial<typeof app> = {}) => new CodehostClient({ ...app, ...more });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error) => error as CodehostError,
  );

const away = await fakeCodehost();
await away.close();

let count = 1;
beforeEach(() => {
  host.requests.length = 0;
});
const added = (more?: Parameters<typeof addInstallation>[2]) => {
  const id = count++;
  addInstallation(host, id, more);
  return id;
};

describe("an installation", () => {
  test("is read with all pages of its repositories", async () => {
    const repositories = Array.from({ length: 230 }, (_, index) => ({ id: index + 1, name: `repository-${index}` }));
    const id = added({ repositories });
    const live = await client().readInstallation(String(id));
    expect(live).toMatchObject({ isSuspended: false, data: { id, account: { login: `org-${id}` } } });
    expect(live.repositories).toEqual(repositories.map(({ name }) => name));
    expect(live.createdAtMs).toBe(Date.parse(host.installations.get(id)!.createdAt));
    expect(host.count("GET /installation/repositories")).toBe(3);
    expect(host.count("POST /app")).toBe(1);
  });

  test("that is suspended says so, and keeps its repositories to itself", async () => {
    const id = added({ suspendedAt: "2026-03-01T12:00:00Z" });
    expect(await client().readInstallation(String(id))).toMatchObject({ isSuspended: true, repositories: undefined });
    expect(await failure(client().token(String(id)))).toMatchObject({ fault: "installation", status: 409, code: 1601 });
  });
});

describe("a token", () => {
  test("is asked for once, by many at once too, and kept until it is nearly over", async () => {
    const ref = String(added());
    const one = client();
    const tokens = await Promise.all([one.token(ref), one.token(ref), one.token(ref)]);
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
    expect(host.count("POST /app")).toBe(1);
    host.tokenSeconds = 600;
    const brief = client();
    const [first, second] = [await brief.token(ref), await brief.token(ref)];
    host.tokenSeconds = 3600;
    expect(first.token).not.toBe(second.token);
  });

  test("is for one repository where that is asked for", async () => {
    const id = added({
      repositories: [
        { id: 5, name: "shop" },
        { id: 6, name: "docs" },
      ],
    });
    const one = client();
    const [all, narrow] = [await one.token(String(id)), await one.token(String(id), 6)];
    expect(host.tokens.get(all.token)?.repositoryIds).toBeUndefined();
    expect(host.tokens.get(narrow.token)?.repositoryIds).toEqual([6]);
    expect(await failure(one.token(String(id), 99))).toMatchObject({ fault: "refused", httpStatus: 422 });
  });

  test("that the platform no longer accepts is renewed once", async () => {
    const ref = String(added());
    const one = client();
    await one.token(ref);
    host.tokens.clear();
    expect((await one.readInstallation(ref)).repositories).toEqual(["shop"]);
    expect(host.count("POST /app")).toBe(2);
  });
});

describe("a failure", () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  test.each<[string, Partial<typeof app>, string, string]>([
    ["a key of another app", { pem: other }, "key", "codehost.pem"],
    ["no key", { pem: "x" }, "key", "codehost.pem is not a private key"],
    ["a damaged key", { pem: host.pem.replace(/^[^-].*$/m, "AAAA") }, "key", "codehost.pem is damaged"],
    ["another app", { appId: "78" }, "app", "codehost.appId"],
    ["no id", { appId: "not an id" }, "app", "codehost.appId"],
    ["a host that is away", { apiUrl: away.url }, "address", "codehost.baseURL"],
  ])("of %s names what to fix, and no secret", async (_, more, fault, words) => {
    const error = await failure(client(more).readInstallation(String(added())));
    expect(error).toMatchObject({ reason: "INTEGRATION_NOT_CONFIGURED", status: 409, code: 1601, fault });
    expect(error.message).toContain(words);
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack, cause: String(error.cause) })).not.toMatch(
      /KEY-----\s*\w{20}|bearer|ghs_|eyJ/i,
    );
  });

  test("of an unknown installation says which", async () => {
    const error = await failure(client().readInstallation("4711"));
    expect(error).toMatchObject({ fault: "installation", status: 409, code: 1601 });
    expect(error.message).toContain("4711");
  });

  test("that passes is tried again: a 5xx, a broken connection, a short pause that is asked for", async () => {
    const ref = String(added());
    const at = `GET /app/installations/${ref}`;
    for (const disturbance of [{ status: 502 }, "hang up", { status: 429, headers: { "retry-after": "0" } }] as const) {
      host.disturb(at, disturbance);
      expect((await client().readInstallation(ref)).repositories).toEqual(["shop"]);
    }
    host.disturb(at, { status: 500 }, { status: 500 }, { status: 500 });
    expect(await failure(client().readInstallation(ref))).toMatchObject({ reason: "INTEGRATION_FAILED", fault: "unavailable", code: 1601 });
    expect(host.count(at)).toBe(9);
  });

  test("by a limit is not waited for when it is long: by Retry-After, by nothing left, by a secondary limit", async () => {
    const ref = String(added());
    const at = `GET /app/installations/${ref}`;
    const date = new Date().toUTCString();
    const reset = String(Date.parse(date) / 1000 + 120);
    const limits: [Record<string, string>, string, number][] = [
      [{ "retry-after": "90" }, "slow down", 90_000],
      [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset, date }, "API rate limit exceeded", 121_000],
      [{}, "You have exceeded a secondary rate limit", 60_000],
      [{ "retry-after": "999999" }, "slow down", 3_600_000],
    ];
    for (const [headers, message, retryAfterMs] of limits) {
      host.disturb(at, { status: 403, headers, body: { message } });
      const error = await failure(client().readInstallation(ref));
      expect(error).toMatchObject({ fault: "limited", status: 409, retryAfterMs, retryAfterSeconds: retryAfterMs / 1000 });
    }
    expect(host.count(at)).toBe(limits.length);
  });
});

describe("a redirect", () => {
  test("is followed on the same host, and writes stay writes", async () => {
    const ref = String(added());
    host.disturb("GET /installation/repositories", {
      status: 301,
      headers: { location: `${host.url}/installation/repositories?per_page=100` },
    });
    expect((await client().readInstallation(ref)).repositories).toEqual(["shop"]);
    const path = `/app/installations/${ref}/access_tokens`;
    host.disturb(`POST ${path}`, { status: 307, headers: { location: `/api/v3${path}` } });
    expect((await client().token(ref)).token).toMatch(/^ghs_/);
    host.disturb(`POST ${path}`, { status: 301, headers: { location: `/api/v3${path}` } });
    expect(await failure(client().token(ref))).toMatchObject({ fault: "address" });
  });

  test("to another host gets no credential, and one in a circle ends", async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url ?? "");
      response.end("{}");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    afterAll(() => new Promise((resolve) => other.close(resolve)));
    const ref = String(added());
    const at = `GET /app/installations/${ref}`;
    host.disturb(at, { status: 302, headers: { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` } });
    expect(await failure(client().readInstallation(ref))).toMatchObject({ fault: "address" });
    expect(seen).toEqual([]);
    const circle = { status: 302, headers: { location: `${host.url}/app/installations/${ref}` } };
    host.disturb(at, ...Array(5).fill(circle));
    expect(await failure(client().readInstallation(ref))).toMatchObject({ fault: "address" });
    await client()
      .readInstallation(ref)
      .catch(() => {});
  });
});

describe("the private key", () => {
  const pkcs1 = host.pem;
  const pkcs8 = createPrivateKey(pkcs1).export({ type: "pkcs8", format: "pem" }).toString();
  test.each([
    ["as the platform makes it", pkcs1],
    ["converted", pkcs8],
    ["on one line with spaces", pkcs1.trim().replaceAll("\n", " ")],
    ["on one line with \\n written out", pkcs8.trim().replaceAll("\n", "\\n")],
    ["with \\r\\n written out, in quotation marks", `"${pkcs1.replaceAll("\n", "\\r\\n")}"`],
    ["with Windows' line breaks", pkcs1.replaceAll("\n", "\r\n")],
  ])("is read %s", (_, text) => {
    expect(readCodehostKey(text)).toEqual({ key: pkcs8 });
  });

  test.each([
    ["", "not a private key"],
    [generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "not an RSA key"],
    [createPrivateKey(pkcs1).export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString(), "passphrase"],
    [createPrivateKey(pkcs1).export({ type: "pkcs1", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString(), "private key"],
  ])("is refused otherwise (%#), without being repeated", (text, fault) => {
    expect((readCodehostKey(text) as { fault: string }).fault).toContain(fault);
  });
});

test("one client is kept while the app stays the same, and goes with it", () => {
  const clients = new CodehostClients(platformFetch);
  const first = clients.of(app);
  expect(clients.of({ ...app })).toBe(first);
  expect(clients.of({ ...app, pem: "other" })).not.toBe(first);
});
