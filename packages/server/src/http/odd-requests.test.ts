import { METHODS } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { adminToken, testApp } from "../../test/kit/app.ts";
import { createLog } from "../base/process/log.ts";

const written: string[] = [];
const app = await testApp({ log: createLog("info", { write: (line: string) => void written.push(line) }) });
const known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const others = METHODS.filter((method) => !known.includes(method) && method !== "CONNECT");
let port = 0;

beforeAll(async () => {
  await app.server.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = app.server.server.address() as { port: number });
});

/** Everything that was received until the connection was closed. */
function talk(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const ask = (method: string, path: string, headers: Record<string, string> = {}, body = "") => {
  const lines = Object.entries({ host: "x", connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return talk(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
};

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
const metrics = async () => (await app.as().get("/metrics")).text;

test("a header is found after any number of others", async () => {
  const answer = await talk(
    `GET /api/v2/settings HTTP/1.1\r\nhost: x\r\n${"a:\r\n".repeat(2_000)}authorization: Bearer ${adminToken}\r\nconnection: close\r\n\r\n`,
  );
  expect(statusOf(answer), answer).toBe(200);
});

describe("a method that no path has", () => {
  const ways: [string, Record<string, string>, string][] = [
    ["without a body", {}, ""],
    ["with a body without a type", { "content-length": "2" }, "{}"],
    ["with a JSON body", { "content-length": "2", "content-type": "application/json" }, "{}"],
    ["with a type that is none", { "content-length": "2", "content-type": ";;" }, "{}"],
    ["with the administrator's token", { authorization: `Bearer ${adminToken}` }, ""],
  ];

  test.each(ways)("is 405 with Allow for a known path, and 404 for an unknown one, %s", async (_, headers, body) => {
    for (const method of others) {
      const refused = await ask(method, "/api/v2/team/query", headers, body);
      expect(statusOf(refused), `${method}: ${refused}`).toBe(405);
      expect(refused.toLowerCase()).toContain("allow: get, head, options");
      expect(bodyOf(refused)).toMatchObject({ reason: "METHOD_NOT_ALLOWED", status: "405 METHOD_NOT_ALLOWED" });
      expect(statusOf(await ask(method, "/api/v2/team/hawks/changes/?x=1", headers, body))).toBe(405);
      const missing = await ask(method, "/nothing/here", headers, body);
      expect(statusOf(missing), `${method}: ${missing}`).toBe(404);
      expect(bodyOf(missing)).toMatchObject({ reason: "NOT_FOUND", message: expect.stringContaining(`${method} /nothing/here`) });
    }
    expect(written.filter((line) => /"level":"(?:error|warn)"/.test(line))).toEqual([]);
  });

  test("is counted, under one name for all of them", async () => {
    await ask("QUERY", "/api/v2/team/query");
    const text = await metrics();
    expect(text).toMatch(/millrace_http_request_seconds_count\{method="OTHER",route="none",status="405"\} [1-9]/);
    expect(text).toMatch(/millrace_http_request_seconds_count\{method="OTHER",route="none",status="404"\} [1-9]/);
    expect(text).not.toContain("PROPFIND");
  });
});

describe("what is not a request that can be answered by a route", () => {
  const count = async (status: number) =>
    Number(new RegExp(`_count\\{method="OTHER",route="none",status="${status}"\\} (\\d+)`).exec(await metrics())?.[1] ?? 0);

  const chunked = "POST /api/v2/team HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n";
  test.each([
    ["garbage", 400, "GARBAGE\r\n\r\n"],
    ["an unknown method", 400, "FROB / HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a broken chunk", 400, `${chunked}content-type: application/json\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ["two lengths", 400, "POST /api/v2/team HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
    ["a length and chunks", 400, `${chunked}content-length: 5\r\n\r\n0\r\n\r\n`],
    ["headers that are too large", 431, `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a tunnel", 405, "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n"],
    ["a control character in a header", 400, "GET / HTTP/1.1\r\nhost: x\r\nx-bad: \u0001\r\n\r\n"],
  ])("%s is answered with %i as an error body, counted, and not a 5xx", async (_, status, text) => {
    const before = await count(status);
    const answer = await talk(text);
    expect(statusOf(answer), answer).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ code: expect.any(Number), reason: expect.any(String), requestId: expect.any(String) });
    expect(await count(status)).toBe(before + 1);
    expect(written.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("a path that can't be decoded is 400, and counted too", async () => {
    const before = await count(400);
    expect(statusOf(await ask("QUERY", "/api/v2/team/%zz"))).toBe(400);
    expect(statusOf(await ask("GET", "/api/v2/team/%zz"))).toBe(400);
    expect(await metrics()).toMatch(/_count\{method="GET",route="none",status="400"\} [1-9]/);
    expect(await count(400)).toBe(before + 1);
  });

  test("an upgrade that nobody offers is an ordinary request", async () => {
    const answer = await ask("GET", "/api/v2/features", { connection: "upgrade, close", upgrade: "websocket" });
    expect([200, 401]).toContain(statusOf(answer));
  });

  test("an expectation that nobody can meet is 417", async () => {
    expect(statusOf(await ask("GET", "/api/v2/features", { expect: "a-miracle" }))).toBe(417);
  });
});

test("odd requests of one address are refused once there are too many of them", async () => {
  const narrow = await testApp({ config: { rateLimits: { rates: () => ({ requestsPerSecond: 0.001, burst: 5 }), nowMs: () => 0 } } });
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await narrow.as(null).send("QUERY", "/api/v2/team/query")).status);
  expect(statuses).toEqual([405, 405, 405, 405, 405, 429, 429, 429]);
});

test("browsers are asked to come by HTTPS only where the public address has it", async () => {
  const secure = await testApp({ config: { publicUrl: "https://millrace.example.com" } });
  for (const path of ["/api/v2/features", "/nothing", "/health"]) {
    expect((await secure.as(null).get(path)).headers["strict-transport-security"]).toBe("max-age=31536000");
    expect((await app.as(null).get(path)).headers["strict-transport-security"]).toBeUndefined();
  }
});
