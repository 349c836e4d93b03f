import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { adminToken, testApp } from "../../server/test/kit/app.ts";
import { freePort } from "../../server/test/kit/free-port.ts";
import { ApiError, type Change, createClient } from "./client.ts";

const app = await testApp();
const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
await app.make.team({ name: "mill" });
const client = createClient({ url: `${url}/`, token: adminToken, team: "mill" });
const path = { team: client.team };

async function fake(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function linesOf(log: AsyncIterable<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of log) lines.push(line);
  return lines;
}

test("a call returns the body of a successful response, if there is one", async () => {
  const made = await client.post("/api/v2/team/{team}/workflow", { params: { path }, body: { name: "nightly", tasks: [] } });
  expect(made.name).toBe("nightly");
  const query = { limit: 10, page: 0, sort: "ASC" as const, workflows: ["nightly", "weekly"] };
  const page = await client.get("/api/v2/team/{team}/workflow/query", { params: { path, query } });
  expect(page.content.map(({ name }) => name)).toEqual(["nightly"]);
  const params = { path: { ...path, workflow: "nightly" } };
  expect(await client.delete("/api/v2/team/{team}/workflow/{workflow}", { params })).toBeUndefined();
});

test("a refused request throws an ApiError with everything that the service answered", async () => {
  const body = { name: "refused", tasks: [], timeout: -2 };
  const refused = client.post("/api/v2/team/{team}/workflow", { params: { path }, body, headers: { "x-request-id": "of-the-test" } });
  const error: ApiError = await refused.then(
    () => expect.unreachable(),
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 400, reason: "VALIDATION_FAILED", requestId: "of-the-test" });
  expect(error.errors).toEqual([{ path: "/timeout", message: expect.stringContaining("-2") }]);
});

test("a response that is not from the API, and no response at all, throw an ApiError, too", async () => {
  const proxy = await fake((_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"));
  await expect(createClient({ url: proxy }).get("/api/v2/profile")).rejects.toMatchObject({ status: 502, reason: "UNKNOWN" });
  const closed = `http://127.0.0.1:${await freePort()}`;
  const none = createClient({ url: closed }).get("/api/v2/profile");
  await expect(none).rejects.toMatchObject({ status: 0, reason: "NO_ANSWER", message: `No answer from ${closed} (ECONNREFUSED)` });
});

test.each([
  [
    200,
    "\u001b]0;x\u0007<html>",
    { reason: "UNKNOWN", message: expect.stringMatching(/^The answer from http:\S+ is not JSON$/), errors: [] },
  ],
  [
    400,
    '{"reason":{},"message":["a"],"errors":"x","code":"1"}',
    { reason: "UNKNOWN", message: "The service returned 400", errors: [], code: 0 },
  ],
  [400, '{"reason":"R","message":"m","errors":[null,{"path":1},{"path":"/a","message":"b"}]}', { errors: [{ path: "/a", message: "b" }] }],
  [500, "null", { reason: "UNKNOWN", errors: [] }],
])("a %d with the body %j is always an ApiError with texts", async (status, text, expected) => {
  const other = await fake((_, response) => response.writeHead(status).end(text));
  await expect(createClient({ url: other }).get("/api/v2/profile")).rejects.toMatchObject({ status, name: "ApiError", ...expected });
});

test("the token is not sent to the target of a redirect", async () => {
  const seen: unknown[] = [];
  const thief = await fake((request, response) => {
    seen.push(request.headers.authorization);
    response.end("{}");
  });
  const redirecting = await fake((_, response) => response.writeHead(307, { location: `${thief}/` }).end());
  const call = createClient({ url: redirecting, token: "secret-token" }).get("/api/v2/profile");
  await expect(call).rejects.toMatchObject({ reason: "REDIRECTED", message: expect.stringContaining(thief) });
  expect(seen).toEqual([]);
});

test("a log that breaks off is resumed at the same line, and no line comes twice", async () => {
  const asked: (string | undefined)[] = [];
  const breaking = await fake((request, response) => {
    asked.push(request.url);
    const from = Number(new URL(request.url!, url).searchParams.get("fromLine"));
    response.writeHead(200, { "x-first-line": String(from) });
    if (from > 1) return void response.end("three\nfour\n");
    // In two parts, split inside a character and then inside a line.
    const bytes = Buffer.from("öne\ntwo\nthr");
    response.write(bytes.subarray(0, 1), () => response.write(bytes.subarray(1), () => response.destroy()));
  });
  const lines = await linesOf(createClient({ url: breaking }).logs("t1", { timestamps: false }));
  expect(lines).toEqual(["öne", "two", "three", "four"]);
  expect(asked).toEqual([1, 3].map((line) => `/api/v2/taskrun/t1/log?timestamps=false&fromLine=${line}`));
});

test.each(["..", ".", ""])("the name %j can't change the path of a request", async (workflow) => {
  const gone = client.delete("/api/v2/team/{team}/workflow/{workflow}", { params: { path: { ...path, workflow } } });
  await expect(gone).rejects.toMatchObject({ status: 404, message: `There is no workflow "${workflow}"` });
  expect(await client.get("/api/v2/team/{team}", { params: { path } })).toMatchObject({ name: "mill" });
});

test("following a log that does not exist fails at once", async () => {
  await expect(linesOf(client.logs("none"))).rejects.toMatchObject({ status: 404, reason: "TASKRUN_INVALID_REFERENCE" });
});

test("the stream of changes begins with a reset, names changed objects, and ends when its signal is aborted", async () => {
  const abort = new AbortController();
  const changes: Change[] = [];
  for await (const change of client.changes({ signal: abort.signal })) {
    changes.push(change);
    if (changes.length === 1) await client.post("/api/v2/team/{team}/workflow", { params: { path }, body: { name: "watched", tasks: [] } });
    else abort.abort();
  }
  expect(changes).toEqual([{ kind: "reset" }, expect.objectContaining({ kind: "workflow" })]);
});

test("an idle stream ends when its signal is aborted, even if its request was garbage-collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const abort = new AbortController();
  const stream = client.changes({ signal: abort.signal });
  expect((await stream.next()).value).toEqual({ kind: "reset" });
  const next = stream.next();
  for (let turns = 0; turns < 5; turns++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
