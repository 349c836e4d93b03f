import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { type TestAnswer, testApp } from "../app.ts";
import { fromSchema, hostileTexts } from "./arbitrary-from-schema.ts";

/** By default, each time the same. */
export const fuzzSeed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120);

interface Attempt {
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
  credential: number;
}

const shape = {
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  code: expect.any(Number),
  reason: expect.stringMatching(/^[A-Z_]+$/),
  message: expect.any(String),
  status: expect.any(String),
  cause: null,
  requestId: expect.any(String),
};

/**
 * One test for each endpoint: whatever a client sends to it, the response is never a 5xx, and every rejection has the documented form. Half
 * of the requests nearly fit the schemas, half are malformed. MILLRACE_FUZZ_RUNS sets their number, MILLRACE_FUZZ_SEED repeats a run.
 * @param usualRuns requests to each
 */
export async function fuzzEndpoints(usualRuns: number): Promise<void> {
  const app = await testApp();
  const all = everyEndpoint(endpoints).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
  const numRuns = Number(process.env["MILLRACE_FUZZ_RUNS"] ?? usualRuns);

  test.each(all)("%s", async (_, endpoint) => {
    const team = await app.make.team();
    const foreign = await app.make.team();
    const [workflow] = await app.sql`
      insert into workflow (team_id, name, display_name, triggers, latest_version) values (${foreign.id}, 'theirs', 'Theirs', '{}', 1) returning id`;
    const known = [team.name, team.id, foreign.name, foreign.id, workflow!["id"] as string, "theirs"];
    const member = await app.make.member(team.id, "owner");
    const credentials = [member.token, undefined, (await app.make.member(foreign.id, "reader")).token, null, "mrg_nonsense"];

    await fc.assert(
      fc.asyncProperty(attempts(endpoint, team.name, known), async ({ path, body, headers, credential }) => {
        const answer = await app.as(credentials[credential]).send(endpoint.method, path, body, headers);
        check(answer);
      }),
      { numRuns, seed: fuzzSeed, endOnFailure: false },
    );
  });
}

function check(answer: TestAnswer): void {
  if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
  if (answer.status >= 400) {
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(answer.body).toMatchObject(shape);
    expect(answer.body.status.startsWith(`${answer.status} `)).toBe(true);
  }
  expect(answer.headers["x-injected"]).toBeUndefined();
}

function attempts(endpoint: Endpoint, team: string, known: readonly string[]): Arbitrary<Attempt> {
  return fc.record({
    path: fc.tuple(paths(endpoint, team, known), queries(endpoint, known)).map(([path, query]) => path + query),
    body: bodies(endpoint),
    headers,
    credential: fc.oneof({ weight: 8, arbitrary: fc.nat(1) }, { weight: 2, arbitrary: fc.nat(4) }),
  });
}

function paths(endpoint: Endpoint, team: string, known: readonly string[]): Arbitrary<string> {
  const values = fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...hostileTexts).map(encode),
    fc.constantFrom("%", "%ff", "%c0%80", "%2e%2e", ";a=b"),
  );
  const teams = fc.oneof({ weight: 5, arbitrary: fc.constant(team) }, { weight: 1, arbitrary: values });
  const segments = endpoint.path
    .split("/")
    .map((segment) => (segment === ":team" ? teams : segment.startsWith(":") ? values : fc.constant(segment)));
  return fc.tuple(...segments).map((parts) => parts.join("/"));
}

/** Names that the endpoint has and others, values that fit and others, encoded correctly and not at all. */
function queries(endpoint: Endpoint, known: readonly string[]): Arbitrary<string> {
  const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, object> };
  const right = Object.entries(properties).map(([name, schema]) =>
    fromSchema(schema, false).map((value) => `${name}=${[value].flat().map(encode).join(",")}`),
  );
  const wrong = fc
    .tuple(
      fc.constantFrom(...Object.keys(properties), "unknown", "%zz", "access_token"),
      fc.constantFrom(...hostileTexts, ...known),
      fc.boolean(),
    )
    .map(([name, value, isEncoded]) => `${name}=${isEncoded ? encode(value) : value.replace(/[\s#]|[^\x20-\x7e]/g, "x")}`);
  const some = right.length === 0 ? fc.constant([] as string[]) : fc.tuple(...right).map((pairs) => [...pairs]);
  return fc.tuple(some, fc.array(wrong, { maxLength: 2 }), fc.nat(3)).map(([pairs, more, dice]) => {
    const query = [...(dice === 0 ? pairs.slice(1) : pairs), ...(dice === 1 ? more : [])].join("&");
    return query === "" ? "" : `?${query}`;
  });
}

function bodies(endpoint: Endpoint): Arbitrary<string | undefined> {
  const right = fromSchema(endpoint.body ?? {}, false).map((value) => JSON.stringify(value));
  const nearly = fromSchema(endpoint.body ?? {}, true).map((value) => JSON.stringify(value));
  const broken = fc
    .tuple(right, fc.nat(), fc.constantFrom("", "{", '"', "\0", "\ufeff", ",", "\\u0000", "\ud800", "1e999"))
    .map(([text, at, junk]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + junk + text.slice(place + (at % 3));
    });
  const odd = fc.constantFrom(
    undefined,
    "",
    " ",
    "null",
    "[]",
    "a: [1",
    "---\n...\n---",
    "[".repeat(100_000),
    `"${"x".repeat(2_000_000)}"`,
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
  );
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 3, arbitrary: nearly },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: odd },
  );
}

const headers: Arbitrary<Record<string, string>> = fc
  .record(
    {
      "content-type": fc.constantFrom(
        "application/json",
        "application/json; charset=utf-16",
        "application/x-yaml",
        "text/plain",
        "application/cloudevents+json",
        "a/b;;;=",
        "multipart/form-data",
      ),
      accept: fc.constantFrom("*/*", "application/x-yaml", "text/html;q=0", "application/json;q=abc", ",,;"),
      prefer: fc.constantFrom("handling=strict", "handling=lenient", ";;"),
      "idempotency-key": fc.constantFrom("key-1", "a b", "x".repeat(300)),
      "if-match": fc.constantFrom("*", '"x"', "W/"),
      "if-none-match": fc.constantFrom("*", '"x"', ",,"),
      "content-encoding": fc.constantFrom("identity", "gzip"),
      "x-request-id": fc.constantFrom("abc", "x".repeat(500)),
    },
    { requiredKeys: [] },
  )
  .chain((given) =>
    fc
      .subarray(Object.keys(given), { maxLength: Math.min(2, Object.keys(given).length) })
      .map((names) => pick(given as Record<string, string>, names)),
  );

function pick(given: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]!]));
}

function encode(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "?")).slice(0, 3000);
}
