import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { retryingFetch } from "./retrying-fetch.ts";

type Answer = { status: number; headers?: Record<string, string> } | "cut";

/** Returns these responses in order; the last one is repeated. */
async function serve(...answers: Answer[]) {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)]!;
    seen.push(`${request.method} ${await text(request)}`);
    if (answer === "cut") request.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

test.each<[string, Answer[], number]>([
  ["a broken connection", ["cut", { status: 200 }], 2],
  ["a service that restarts", [{ status: 503 }, { status: 502 }, { status: 200 }], 3],
  ["too many requests", [{ status: 429, headers: { "retry-after": "0" } }, { status: 200 }], 2],
  ["a refusal", [{ status: 404 }], 1],
  ["a used-up quota", [{ status: 429 }], 1],
  ["a bug", [{ status: 500 }], 1],
])("after %s, a read is retried as often as it makes sense", async (_, answers, times) => {
  const { url, seen } = await serve(...answers);
  const last = answers.at(-1) as { status: number };
  expect((await retryingFetch(new Request(url))).status).toBe(last.status);
  expect(seen).toEqual(Array(times).fill("GET "));
});

test("a write is sent once; with an idempotency key it is retried with its body", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const { url, seen } = await serve({ status: 503 });
    expect((await retryingFetch(new Request(url, { method }))).status).toBe(503);
    expect(seen).toEqual([`${method} `]);
  }
  const { url, seen } = await serve("cut", { status: 200 });
  const headers = { "idempotency-key": "k1" };
  expect((await retryingFetch(new Request(url, { method: "POST", headers, body: "once" }))).status).toBe(200);
  expect(seen).toEqual(["POST once", "POST once"]);
});
