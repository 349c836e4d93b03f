import { Writable } from "node:stream";
import Type from "typebox";
import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { defineEndpoint } from "../../api/endpoint.ts";
import { createLog } from "../../base/process/log.ts";

const lines: Record<string, unknown>[] = [];
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});
const base = { summary: "Try something", tag: "Test", permission: "signed-in", transaction: "none", response: Type.Unknown() } as const;
const app = await testApp({
  log: createLog("info", destination),
  config: { logsRequests: true },
  endpoints: [
    defineEndpoint({ ...base, method: "GET", path: "/api/v2/team/:team/thing/:name", tokenInQuery: true, handle: async () => 1 }),
    defineEndpoint({ ...base, method: "GET", path: "/api/v2/bug", handle: () => Promise.reject(new Error("what went wrong")) }),
    defineEndpoint({
      ...base,
      method: "GET",
      path: "/api/v2/refused",
      handle: () => Promise.reject(Object.assign(new Error("out of range"), { code: "22003", severity: "ERROR" })),
    }),
  ],
});
const linesOf = async (path: string, token?: string | null) => {
  const answer = await app.as(token).get(path);
  return lines.filter(({ requestId }) => requestId === answer.headers["x-request-id"]);
};

test("each request leaves one line: who, where, how it ended and how long it took, and nothing of its path or query", async () => {
  const team = await app.make.team();
  const token = await app.make.teamToken(team.id);
  const found = await linesOf(`/api/v2/team/${team.name}/thing/sensitive?access_token=${token}&x=private`, null);
  expect(found).toEqual([
    expect.objectContaining({
      level: "info",
      method: "GET",
      route: "/api/v2/team/:team/thing/:name",
      status: 200,
      ms: expect.any(Number),
      principal: expect.stringMatching(/^token:/),
      team: team.name,
    }),
  ]);
  expect(JSON.stringify(found)).not.toMatch(/sensitive|private|mrt_/);
});

test("a refusal says its reason, an unknown route is one line too", async () => {
  expect(await linesOf("/api/v2/bug", null)).toEqual([expect.objectContaining({ status: 401, reason: "UNAUTHENTICATED" })]);
  expect(await linesOf("/nowhere/at/all")).toEqual([expect.objectContaining({ status: 404, route: "none", reason: "NOT_FOUND" })]);
});

test("a bug is logged once in full beside its line", async () => {
  expect(await linesOf("/api/v2/bug")).toEqual([
    expect.objectContaining({ level: "error", err: expect.objectContaining({ message: "what went wrong", stack: expect.any(String) }) }),
    expect.objectContaining({ level: "info", status: 500, reason: "INTERNAL" }),
  ]);
});

test("input that only the database refused is a 400 and a warning in the log", async () => {
  expect(await linesOf("/api/v2/refused")).toEqual([
    expect.objectContaining({ level: "warn", err: expect.objectContaining({ code: "22003" }) }),
    expect.objectContaining({ level: "info", status: 400 }),
  ]);
});
