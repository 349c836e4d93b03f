import { connect } from "node:net";
import Type from "typebox";
import { describe, expect, test } from "vitest";
import { testApp } from "../../test/kit/app.ts";
import { type Context, defineEndpoint, type Endpoint, reply } from "../api/endpoint.ts";
import { getMetrics } from "../api/health/get-metrics.ts";
import { labels, listOf, pageParameters, sort, toLabelFilter } from "../api/request-parameters.ts";

const thing = Type.Object({
  name: Type.String({ minLength: 1 }),
  size: Type.Optional(Type.Integer()),
  parts: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
});
const anything = Type.Unknown();
let tries = 0;

const echo = (context: Context<unknown, unknown, unknown, unknown>) =>
  Promise.resolve({
    body: context.body ?? null,
    query: context.query,
    params: context.params,
    rawBody: context.rawBody,
    mediaType: context.mediaType,
  });
const base = { summary: "Try something", tag: "Test", permission: "open", transaction: "none", response: anything } as const;
const endpoints: Endpoint[] = [
  getMetrics,
  defineEndpoint({
    ...base,
    method: "POST",
    path: "/api/v2/echo",
    body: thing,
    consumes: ["application/json", "application/x-yaml"],
    handle: echo,
  }),
  defineEndpoint({ ...base, method: "POST", path: "/api/v2/any", body: anything, handle: echo }),
  defineEndpoint({ ...base, method: "PUT", path: "/api/v2/optional", body: thing, bodyOptional: true, handle: echo }),
  defineEndpoint({ ...base, method: "DELETE", path: "/api/v2/echo/:name", response: null, handle: async () => undefined }),
  defineEndpoint({ ...base, method: "GET", path: "/api/v2/echo/:name", handle: echo }),
  defineEndpoint({
    ...base,
    method: "GET",
    path: "/api/v2/echo/query",
    query: Type.Object({
      ...pageParameters,
      sort,
      labels,
      statuses: listOf(["active", "inactive"], "Statuses"),
      start: Type.Boolean({ default: false }),
    }),
    handle: async ({ query }) => ({ ...query, labels: toLabelFilter(query.labels) }),
  }),
  defineEndpoint({
    ...base,
    method: "GET",
    path: "/api/v2/tagged",
    handle: async () => reply({ headers: { etag: '"v1"' }, body: { a: 1 } }),
  }),
  defineEndpoint({
    ...base,
    method: "GET",
    path: "/api/v2/text",
    handle: async () => reply({ headers: { "content-type": "text/plain" }, body: "as it is" }),
  }),
  defineEndpoint({ ...base, method: "GET", path: "/api/v2/bug", handle: () => Promise.reject(new Error("secret detail")) }),
  defineEndpoint({ ...base, method: "GET", path: "/api/v2/lie", response: thing, handle: async () => ({ nam: "x" }) }),
  defineEndpoint({
    ...base,
    method: "POST",
    path: "/api/v2/once",
    permission: "signed-in",
    transaction: "write",
    idempotent: true,
    body: anything,
    async handle({ body }) {
      tries++;
      if ((body as { isWrong?: boolean }).isWrong === true) throw Object.assign(new Error("refused"), { code: "22003" });
      return { tries };
    },
  }),
];
const app = await testApp({ endpoints, config: { bodyLimitBytes: 10_000 } });
const api = app.as();

describe("errors have one shape", () => {
  const shape = {
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    code: expect.any(Number),
    reason: expect.any(String),
    message: expect.any(String),
    cause: null,
    requestId: expect.any(String),
  };
  test.each([
    ["an unknown route", () => api.get("/api/v2/nothing"), 404, "NOT_FOUND", "404 NOT_FOUND"],
    ["a path that is not valid percent-encoding", () => api.get("/api/v2/echo/%zz"), 400, "BAD_REQUEST", "400 BAD_REQUEST"],
    ["a path that is not UTF-8", () => api.get("/api/v2/echo/%ff"), 400, "BAD_REQUEST", "400 BAD_REQUEST"],
    ["NUL in the path", () => api.get("/api/v2/echo/%00"), 400, "VALIDATION_FAILED", "400 BAD_REQUEST"],
    ["a name of 2,000 characters in the path", () => api.get(`/api/v2/echo/${"x".repeat(2000)}`), 404, "NOT_FOUND", "404 NOT_FOUND"],
    ["another method", () => api.patch("/api/v2/echo", {}), 405, "METHOD_NOT_ALLOWED", "405 METHOD_NOT_ALLOWED"],
    [
      "another media type",
      () => api.post("/api/v2/echo", "a=1", { "content-type": "application/x-www-form-urlencoded" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "415 UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "another charset",
      () => api.post("/api/v2/echo", "{}", { "content-type": "application/json; charset=utf-16" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "415 UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "a compressed body",
      () => api.post("/api/v2/echo", "{}", { "content-encoding": "gzip" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "415 UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "a body that is too large",
      () => api.post("/api/v2/echo", { name: "x".repeat(10_000) }),
      413,
      "BODY_TOO_LARGE",
      "413 PAYLOAD_TOO_LARGE",
    ],
    ["no body", () => api.post("/api/v2/echo"), 400, "BAD_REQUEST", "400 BAD_REQUEST"],
    ["no JSON", () => api.post("/api/v2/echo", "{name: 1"), 400, "BAD_REQUEST", "400 BAD_REQUEST"],
    ["a bug of ours", () => api.get("/api/v2/bug"), 500, "INTERNAL", "500 INTERNAL_SERVER_ERROR"],
    ["an answer that breaks its promise", () => api.get("/api/v2/lie"), 500, "INTERNAL", "500 INTERNAL_SERVER_ERROR"],
  ])("%s", async (_, call, status, reason, text) => {
    const answer = await call();
    expect(answer.body).toMatchObject({ ...shape, reason, status: text });
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(answer.headers["x-request-id"]).toBe(answer.body.requestId);
    expect(answer.text).not.toContain("secret detail");
  });

  test("the error for a too large body has the limit, and that for an inexact number has the number", async () => {
    expect((await api.post("/api/v2/echo", { name: "x".repeat(10_000) })).body.message).toBe("The body is larger than 10000 bytes");
    const answer = await api.post("/api/v2/echo", '{"name":"x","rest":9007199254740993}');
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("9007199254740993") } });
  });

  test("405 and OPTIONS name the methods that are allowed", async () => {
    expect((await api.patch("/api/v2/echo/query", {})).headers["allow"]).toBe("GET, HEAD, OPTIONS");
    expect((await api.put("/api/v2/echo/x", {})).headers["allow"]).toBe("GET, DELETE, HEAD, OPTIONS");
    expect(await api.send("OPTIONS", "/api/v2/echo")).toMatchObject({ status: 204, headers: { allow: "POST, OPTIONS" } });
    expect(await api.send("HEAD", "/api/v2/echo/x")).toMatchObject({ status: 200, text: "" });
    expect(await api.send("HEAD", "/api/v2/echo")).toMatchObject({ status: 405, headers: { allow: "POST, OPTIONS" } });
    // However the path is written, and before anything is said about a body.
    expect((await api.put("/api/v2/%65cho/query/?a=%zz", "{")).headers["allow"]).toBe("GET, HEAD, OPTIONS");
    expect((await api.send("OPTIONS", "/api/v2/nothing")).status).toBe(404);
  });

  test("a literal path is never taken for a name because of its method", async () => {
    expect((await api.delete("/api/v2/echo/query")).status).toBe(405);
    expect((await api.delete("/api/v2/echo/other")).status).toBe(204);
  });

  test("a request that is not HTTP gets the same error body", async () => {
    await app.server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.server.address() as { port: number };
    expect(await talk(port, "GARBAGE\r\n\r\n")).toMatch(/^HTTP\/1.1 400 .*"reason":"BAD_REQUEST".*"status":"400 BAD_REQUEST"/s);
    expect(await talk(port, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 .*"reason":"HEADERS_TOO_LARGE"/s,
    );
    expect(await talk(port, "POST /api/v2/echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n")).toMatch(/^HTTP\/1.1 400 .*"code":400/s);
  });

  function talk(port: number, text: string): Promise<string> {
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
});

describe("bodies", () => {
  test("nothing is coerced, removed or filled in", async () => {
    const body = { name: "5", size: 3, parts: [{ id: "", extra: null }], more: { a: [1.5, "x"] } };
    expect((await api.post("/api/v2/echo", body)).body.body).toEqual(body);
    for (const wrong of [{ name: 5 }, { name: null }, { name: "x", size: "3" }, { name: "x", parts: { id: "1" } }, [], "x", 5, null]) {
      expect(await api.post("/api/v2/echo", JSON.stringify(wrong))).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED" } });
    }
  });

  test("a validation error says where, what is wrong, with which value, and what would be right", async () => {
    const { body } = await api.post("/api/v2/echo", { size: "big", parts: [{}] });
    expect(body.errors).toEqual([
      { path: "/name", message: "is missing" },
      { path: "/size", message: 'is "big"; it must be an integer' },
      { path: "/parts/0/id", message: "is missing" },
    ]);
    expect(body.message).toBe("The request is invalid: body /name is missing (and 2 more, see errors)");
  });

  test.each([
    ["64 levels are good", "[".repeat(64) + "]".repeat(64), 200],
    ["65 are not", "[".repeat(65) + "]".repeat(65), 400],
    ["thousands do not hurt", `${"[".repeat(4000)}${"]".repeat(4000)}`, 400],
    ["NUL in a text", String.raw`{"a":["x\u0000"]}`, 400],
    ["NUL in a name", String.raw`{"a\u0000":1}`, 400],
    ["NUL itself", '"\0"', 400],
    ["half a surrogate pair", String.raw`{"a":"\ud800"}`, 400],
    ["a whole surrogate pair is good", String.raw`{"a":"\ud83d\ude00"}`, 200],
    ["a number beyond a double", "1e400", 400],
    ["__proto__", '{"__proto__":{"x":1}}', 400],
    ["a byte order mark is skipped", '\ufeff{"a":1}', 200],
  ])("%s", async (_, text, status) => {
    const answer = await api.post("/api/v2/any", text);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.reason).toBe("BAD_REQUEST");
  });

  test("bad UTF-8 is refused", async () => {
    const answer = await app.server.inject({
      method: "POST",
      url: "/api/v2/any",
      headers: { "content-type": "application/json" },
      payload: Buffer.from([0x22, 0xc3, 0x28, 0x22]),
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain("UTF-8");
  });

  test("an empty body is not a body, whatever its content type says", async () => {
    expect((await api.put("/api/v2/optional", "", { "content-type": "application/json" })).body.body).toBe(null);
    expect((await api.put("/api/v2/optional")).body.body).toBe(null);
    expect((await api.delete("/api/v2/echo/x", "", { "content-type": "application/json" })).status).toBe(204);
  });

  test("YAML goes through as text under each of its names; a body without a type is JSON", async () => {
    for (const type of ["application/x-yaml", "application/yaml", "text/yaml; charset=utf-8", "Text/X-YAML"]) {
      expect((await api.post("/api/v2/echo", "name: x", { "content-type": type })).body).toMatchObject({
        body: "name: x",
        rawBody: "name: x",
        mediaType: "application/x-yaml",
      });
    }
    const untyped = await app.server.inject({ method: "POST", url: "/api/v2/echo", payload: Buffer.from('{"name":"x"}') });
    expect(untyped.json()).toMatchObject({ body: { name: "x" }, mediaType: "application/json" });
  });

  test("unknown members are ignored but named, and refused under Prefer: handling=strict", async () => {
    const body = { name: "x", nmae: "y", parts: [{ id: "1", "a,b": 1 }] };
    const lenient = await api.post("/api/v2/echo?trace=1", body);
    expect(lenient).toMatchObject({ status: 200, headers: { "x-unknown-members": "?trace, /nmae, /parts/0/a%2Cb" } });
    const strict = await api.post("/api/v2/echo", body, { prefer: "return=minimal, handling=strict" });
    expect(strict).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: "/nmae", message: "is unknown here; did you mean name?" },
          { path: "/parts/0/a,b", message: "is unknown here" },
        ],
      },
    });
    expect((await api.post("/api/v2/echo", { name: "x" }, { prefer: "handling=strict" })).status).toBe(200);
  });
});

describe("queries", () => {
  const read = (query: string) => api.get(`/api/v2/echo/query?limit=5&page=0${query}`);

  test("defaults are filled in, text becomes numbers and booleans, words are matched ignoring case", async () => {
    expect((await read("&start=TRUE&statuses=Active,inactive&sort=desc")).body).toEqual({
      limit: 5,
      page: 0,
      sort: "DESC",
      start: true,
      statuses: ["active", "inactive"],
      labels: {},
    });
    expect((await read("&start=&sort=&statuses=")).body).toMatchObject({ start: false, sort: "ASC", statuses: [] });
  });

  test.each([
    ["a list may be repeated", "&statuses=active&statuses=inactive", { statuses: ["active", "inactive"] }],
    ["its commas may be encoded", "&statuses=active%2Cinactive", { statuses: ["active", "inactive"] }],
    ["labels are encoded pair by pair", "&labels=a%3D1,b%3Dx%2Cy", { labels: { a: "1", b: "x,y" } }],
    ["a pair is split at its first =", "&labels=a%3D1%3D2", { labels: { a: "1=2" } }],
    ["labels that a client has encoded once more are understood", "&labels=a%253D1%2Cb%253D2", { labels: { a: "1", b: "2" } }],
    ["a plus is a space", "&labels=a%3Dx+y", { labels: { a: "x y" } }],
  ])("%s", async (_, query, expected) => expect((await read(query)).body).toMatchObject(expected));

  test.each([
    ["", "VALIDATION_FAILED", "limit"],
    ["?limit=0&page=0", "VALIDATION_FAILED", "limit"],
    ["?limit=1001&page=0", "VALIDATION_FAILED", "limit"],
    ["?limit=1e1&page=0", "VALIDATION_FAILED", "limit"],
    ["?limit=5", "VALIDATION_FAILED", "page"],
    ["?limit=5&page=-1", "VALIDATION_FAILED", "page"],
    ["?limit=5&page=99999999999999999999", "VALIDATION_FAILED", "page"],
    ["?limit=5&limit=6&page=0", "BAD_REQUEST", "limit"],
    ["?limit=5&page=0&sort=up", "VALIDATION_FAILED", "sort"],
    ["?limit=5&page=0&start=yes", "VALIDATION_FAILED", "start"],
    ["?limit=5&page=0&statuses=gone", "QUERY_INVALID_FILTERS", "statuses"],
    ["?limit=5&page=0&labels=a", "QUERY_INVALID_FILTERS", "labels"],
    ["?limit=5&page=0&labels=%zz", "BAD_REQUEST", "labels"],
    ["?limit=5&page=0&labels=a%3D%00", "BAD_REQUEST", "labels"],
  ])("%s is refused", async (query, reason, name) => {
    const answer = await api.get(`/api/v2/echo/query${query}`);
    expect(answer).toMatchObject({ status: 400, body: { reason } });
    expect(answer.body.message).toContain(name);
  });
});

describe("answers", () => {
  test("a tag that the caller has makes the answer empty", async () => {
    expect((await api.get("/api/v2/tagged")).headers["etag"]).toBe('"v1"');
    expect(await api.get("/api/v2/tagged", { "if-none-match": 'W/"v0", "v1"' })).toMatchObject({ status: 304, text: "" });
  });

  test("a text with its own content type is sent unchanged", async () => {
    expect(await api.get("/api/v2/text")).toMatchObject({ status: 200, text: "as it is", headers: { "content-type": "text/plain" } });
  });

  test("a harmless request id of the caller is kept, another one is not", async () => {
    expect((await api.get("/api/v2/text", { "x-request-id": "trace-1" })).headers["x-request-id"]).toBe("trace-1");
    expect((await api.get("/api/v2/text", { "x-request-id": "a b\\n" })).headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });
});

describe("metrics", () => {
  test("count the requests by route, and need a credential", async () => {
    await api.get("/api/v2/echo/some");
    await api.get("/api/v2/echo/other?secret=x");
    const { text, status } = await api.get("/metrics");
    expect(status).toBe(200);
    expect(text).toMatch(/^millrace_http_request_seconds_count\{method="GET",route="\/api\/v2\/echo\/:name",status="200"\} \d+$/m);
    expect(text).toMatch(/^millrace_http_request_seconds_sum\{method="GET",route="\/api\/v2\/echo\/:name",status="200"\} [\d.]+$/m);
    for (const type of ["process_cpu_seconds_total counter", "process_resident_memory_bytes gauge", "process_start_time_seconds gauge"])
      expect(text).toContain(`# TYPE ${type}\n`);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
    expect(text).not.toMatch(/echo\/other|secret=x/);
    expect((await app.as(null).get("/metrics")).status).toBe(401);
  });
});

test("metrics show the size and the hit rate of each cache", async () => {
  const read = async () => {
    await api.get("/api/v2/echo/some");
    const { text } = await api.get("/metrics");
    const value = (what: string) => Number(new RegExp(`^millrace_cache_${what}\\{cache="rate-addresses"\\} (\\d+)$`, "m").exec(text)?.[1]);
    return { text, entries: value("entries"), hits: value("hits_total"), misses: value("misses_total") };
  };
  const before = await read();
  const after = await read();
  expect(before).toMatchObject({ entries: expect.any(Number), misses: expect.any(Number) });
  expect(after.entries).toBeGreaterThan(0);
  expect(after.misses).toBeGreaterThan(0);
  expect(after.hits).toBeGreaterThan(before.hits);
  expect(after.text).toMatch(/^millrace_cache_bytes\{cache="run-states"\} \d+$/m);
});

describe("Idempotency-Key", () => {
  test("the same request gets the first answer again, and another request is a conflict", async () => {
    const first = await api.post("/api/v2/once", { a: 1 }, { "idempotency-key": "k1" });
    const again = await api.post("/api/v2/once", { a: 1 }, { "idempotency-key": "k1" });
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { "idempotency-replayed": "true" } });
    expect(await api.post("/api/v2/once", { a: 2 }, { "idempotency-key": "k1" })).toMatchObject({
      status: 409,
      body: { reason: "CONFLICT" },
    });
  });

  test("a refusal, which may quote what was sent, leaves nothing in the database, and the key is free", async () => {
    expect((await api.post("/api/v2/once", '{"password": hunter2}', { "idempotency-key": "k5" })).status).toBe(400);
    expect((await api.post("/api/v2/once", { isWrong: true }, { "idempotency-key": "k5" })).status).toBe(400);
    expect(await app.sql`select 1 from idempotency where key = 'k5'`).toEqual([]);
    expect((await api.post("/api/v2/once", { a: 3 }, { "idempotency-key": "k5" })).status).toBe(200);
  });

  test("ten at once are one", async () => {
    const before = tries;
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post("/api/v2/once", {}, { "idempotency-key": "k3" })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(tries).toBe(before + 1);
  });

  test("another caller's key is another key, and a key with spaces is refused", async () => {
    const token = await app.make.globalToken();
    await api.post("/api/v2/once", {}, { "idempotency-key": "k4" });
    expect((await app.as(token).post("/api/v2/once", { other: 1 }, { "idempotency-key": "k4" })).status).toBe(200);
    expect((await api.post("/api/v2/once", {}, { "idempotency-key": "a b" })).status).toBe(400);
  });
});
