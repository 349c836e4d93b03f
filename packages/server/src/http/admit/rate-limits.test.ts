import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { until } from "../../../test/kit/until.ts";
import { createLog } from "../../base/process/log.ts";
import { createBuckets } from "./rate-limits.ts";

const limited = { status: 429, body: { reason: "TOO_MANY_REQUESTS", status: "429 TOO_MANY_REQUESTS" } };
const path = "/api/v2/team/roles";

/** Inject has no connection, so the address is given manually. */
async function appAt(rateLimits: object, config: object = {}) {
  const clock = { ms: 0 };
  const lines: { status?: number; reason?: string }[] = [];
  const log = createLog("debug", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = await testApp({
    config: { adminToken: "the-token-of-this-test", rateLimits: { nowMs: () => clock.ms, ...rateLimits }, ...config },
    log,
  });
  const get = async (token: string | null, remoteAddress = "192.0.2.1", url = path, headers: Record<string, string> = {}) => {
    const {
      statusCode,
      headers: found,
      body,
    } = await app.server.inject({
      url,
      remoteAddress,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
    return { status: statusCode, headers: found, body: body.startsWith("{") ? JSON.parse(body) : body };
  };
  return { app, clock, lines, get, token: "the-token-of-this-test" };
}

describe("an address", async () => {
  const { app, clock, lines, get, token } = await appAt({ rates: () => ({ requestsPerSecond: 2, burst: 4 }) });

  test("has its burst and then its rate for all requests, and gets Retry-After", async () => {
    const statuses = [];
    for (const url of [path, path, "/nowhere", path]) statuses.push((await get(null, "192.0.2.1", url)).status);
    expect(statuses).toEqual([401, 401, 404, 401]);
    const refused = await get(token);
    expect(refused).toMatchObject(limited);
    expect(refused.headers).toMatchObject({
      "retry-after": "1",
      "x-request-id": expect.any(String),
      "content-type": "application/json; charset=utf-8",
    });
    expect(lines.at(-1)).toMatchObject({ status: 429, reason: "TOO_MANY_REQUESTS" });
    expect((await get(null, "192.0.2.1", "/nowhere")).status).toBe(429);
    clock.ms += 500;
    expect((await get(token)).status).toBe(200);
  });

  test("is limited separately, and can't be forged", async () => {
    clock.ms += 60_000;
    for (let n = 0; n < 4; n++) await get(null, "192.0.2.7", path, { "x-forwarded-for": `203.0.113.${n}` });
    expect((await get(null, "192.0.2.7", path, { "x-forwarded-for": "203.0.113.99" })).status).toBe(429);
    expect((await get(null, "192.0.2.8")).status).toBe(401);
  });

  test("of IPv6 is a whole network", async () => {
    for (let n = 0; n < 4; n++) await get(null, `2001:db8:1:2::${n}`);
    expect((await get(null, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await get(null, "2001:db8:1:3::1")).status).toBe(401);
  });

  test("is never refused for monitoring requests", async () => {
    for (let n = 0; n < 10; n++) expect((await get(null, "192.0.2.9", "/health")).status).toBe(200);
    for (let n = 0; n < 10; n++) expect((await get(token, "192.0.2.9", "/metrics")).status).toBe(200);
    expect(app.woken).toEqual([]);
  });
});

test("a credential has its own limit, from wherever it comes, and one caller does not pay for another", async () => {
  const { app, get } = await appAt({ rates: () => ({ requestsPerSecond: 1, burst: 3 }) });
  const [one, other] = [await app.make.globalToken(), await app.make.globalToken()];
  for (let n = 0; n < 3; n++) expect((await get(one, `192.0.2.${n}`)).status).toBe(200);
  expect(await get(one, "192.0.2.50")).toMatchObject(limited);
  expect((await get(other, "192.0.2.50")).status).toBe(200);
});

describe("bad credentials", async () => {
  const { app, clock, get, token } = await appAt({ failuresPerMinute: 3 });
  const fresh = await app.make.globalToken();

  test("are refused unchecked after too many; recently valid ones are not", async () => {
    expect((await get(token)).status).toBe(200);
    for (let n = 0; n < 3; n++) expect((await get(`mrg_guess${n}`)).status).toBe(401);
    const refused = await get("mrg_guess");
    expect(refused).toMatchObject(limited);
    expect(refused.headers["retry-after"]).toBe("20");
    expect((await get(fresh)).status).toBe(429);
    expect((await get(token)).status).toBe(200);
    expect((await get(null)).status).toBe(401);
    expect((await get("mrg_guess", "192.0.2.200")).status).toBe(401);
  });

  test("block sign-ins and activation from that address, too", async () => {
    const activate = (remoteAddress: string) =>
      app.server.inject({ method: "PUT", url: "/api/v2/activate", remoteAddress, payload: { otc: "wrong" } });
    expect((await activate("192.0.2.1")).statusCode).toBe(429);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await activate("192.0.2.77")).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test("are accepted again after a while", async () => {
    clock.ms += 20_000;
    expect((await get(fresh)).status).toBe(200);
  });
});

test("behind a trusted proxy the address is the one that it names, and only the proxy is believed", async () => {
  const { get } = await appAt(
    { rates: () => ({ requestsPerSecond: 1, burst: 1 }) },
    { proxy: { addresses: ["10.0.0.0/8"], emailHeader: undefined, nameHeader: "x-forwarded-user" } },
  );
  const via = (proxy: string, client: string) => get(null, proxy, path, { "x-forwarded-for": client });
  expect((await via("10.1.2.3", "203.0.113.1")).status).toBe(401);
  expect((await via("10.1.2.3", "203.0.113.1")).status).toBe(429);
  expect((await via("10.1.2.3", "203.0.113.2")).status).toBe(401);
  expect((await via("10.1.2.3", "203.0.113.99, 203.0.113.2")).status).toBe(429);
  expect((await via("192.0.2.1", "203.0.113.3")).status).toBe(401);
  expect((await via("192.0.2.1", "203.0.113.4")).status).toBe(429);
});

test("the settings of the instance say how much, from the next request on", async () => {
  const { app, get, token } = await appAt({});
  const config = [
    { key: "rate.requestsPerSecond", value: "10" },
    { key: "rate.burst", value: "10" },
  ];
  expect((await app.as(token).put("/api/v2/settings", [{ key: "api", config }])).status).toBe(200);
  // Repeatedly, and many at once: one after the other they could be slow enough on a busy machine to stay within the rate.
  const sendMany = () => Promise.all(Array.from({ length: 20 }, () => get(token, "192.0.2.50")));
  await until(async () => (await sendMany()).some(({ status }) => status === 429), "the new rate counts");
});

function bucketsAt(rates = { requestsPerSecond: 10, burst: 3 }) {
  const clock = { ms: 0 };
  return {
    clock,
    rates,
    buckets: createBuckets(
      "test-buckets",
      () => rates,
      () => clock.ms,
    ),
  };
}

test("a burst is admitted at once, then as many as the rate allows", () => {
  const { clock, buckets } = bucketsAt();
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
  expect(buckets.take("a")).toBeCloseTo(0.1);
  clock.ms += 100;
  expect(buckets.take("a")).toBe(0);
  expect(buckets.take("a")).toBeGreaterThan(0);
  clock.ms += 60_000;
  expect([1, 2, 3, 4].map(() => buckets.take("a") === 0)).toEqual([true, true, true, false]);
});

test("each key has its own bucket, and a check takes nothing", () => {
  const { buckets } = bucketsAt({ requestsPerSecond: 1, burst: 1 });
  expect([buckets.has("a"), buckets.take("a"), buckets.has("a")]).toEqual([false, 0, true]);
  expect([1, 2, 3].map(() => buckets.secondsUntilOne("b"))).toEqual([0, 0, 0]);
  expect(buckets.secondsUntilOne("a")).toBeCloseTo(1);
  expect(buckets.take("b")).toBe(0);
});

test("a changed rate counts at once", () => {
  const { clock, rates, buckets } = bucketsAt();
  for (let n = 0; n < 4; n++) buckets.take("a");
  rates.requestsPerSecond = 1;
  clock.ms += 500;
  expect(buckets.take("a")).toBeCloseTo(0.5);
});

test("the number of keys is bounded, and those asked for the longest ago go first", () => {
  const { clock, buckets } = bucketsAt();
  for (let n = 0; n < 20_000; n++) buckets.take(`old-${n}`);
  clock.ms += 1_000;
  for (let n = 0; n < 3; n++) buckets.take("busy");
  expect(buckets.has("old-0")).toBe(false);
  expect(buckets.take("busy")).toBeGreaterThan(0);
  for (let n = 0; n < 25_000; n++) buckets.take(`new-${n}`);
  expect(buckets.has("new-0")).toBe(false);
  expect(buckets.has("new-24999")).toBe(true);
});
