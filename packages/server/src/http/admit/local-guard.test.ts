import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { isForeignRequest } from "./local-guard.ts";

const app = await testApp({ config: { auth: "off" } });
const get = (headers: Record<string, string>) => app.as(null).get("/api/v2/team/query?limit=1&page=0", headers);

test.each([["localhost:8080"], ["127.0.0.1:8080"], ["127.1.2.3"], ["[::1]:80"], ["LOCALHOST"]])(
  "a direct request to %s is an administrator's",
  async (host) => {
    expect((await get({ host })).status).toBe(200);
    expect((await get({ host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).status).toBe(200);
  },
);

test.each([
  [{ host: "evil.example" }],
  [{ host: "localhost.evil.example" }],
  [{ host: "127.0.0.1.evil.example:8080" }],
  [{ host: "localhost:8080", origin: "https://evil.example" }],
  [{ host: "localhost:8080", origin: "null" }],
  [{ host: "localhost:8080", origin: "http://localhost:3000" }],
  [{ host: "localhost:8080", "sec-fetch-site": "cross-site" }],
  [{ host: "localhost:8080", "sec-fetch-site": "same-site" }],
  [{ host: "localhost:8080", "x-forwarded-for": "10.0.0.1" }],
])("%j is refused", async (headers) => {
  expect(await get(headers as unknown as Record<string, string>)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
});

test("a link from a mail or a text can't change anything", async () => {
  const callback = "/api/v2/callback?ref=0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e&topic=t";
  const open = (site: string, mode: string) =>
    app.as(null).get(callback, { host: "localhost:8080", "sec-fetch-site": site, "sec-fetch-mode": mode });
  expect((await open("none", "navigate")).status).toBe(403);
  expect((await open("same-origin", "navigate")).status).toBe(403);
  expect((await open("same-origin", "cors")).status).toBe(404);
});

test.each([
  [{ host: "127.0.0.1:8080" }, false],
  [{ host: "localhost" }, false],
  [{ host: "[::1]:8080" }, false],
  [{ host: "millrace.example.org" }, true],
  [{}, true],
  [{ host: "localhost", "x-forwarded-for": "10.0.0.1" }, true],
  [{ host: "localhost", forwarded: "for=10.0.0.1" }, true],
])("a request with headers %j is foreign: %j", (headers, expected) => {
  expect(isForeignRequest(headers)).toBe(expected);
});
