import { expect, test } from "vitest";
import { createLog, hideUrlPasswords, type LogLevel } from "./log.ts";

function record(level: LogLevel = "info") {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

test("a message is one line of JSON, whatever text from outside is in it", () => {
  const { log, lines } = record();
  const evil = 'first\n{"level":"fatal","msg":"forged"}\r\n\u001b[31mred\u2028\u0000';
  log.info({ name: evil }, evil);
  expect(lines).toHaveLength(1);
  expect([...lines[0]!.trimEnd()].filter((character) => character < " ")).toEqual([]);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: "info", name: evil, msg: evil });
});

test("secrets are blanked out where they are usually found", () => {
  const { log, lines } = record();
  log.info({
    token: "t0p-secret",
    body: { password: "t0p-secret", user: { clientSecret: "t0p-secret" } },
    headers: { authorization: "Bearer t0p-secret", "x-access-token": "t0p-secret" },
    request: { headers: { cookie: "s=t0p-secret" } },
  });
  expect(lines.join()).not.toContain("t0p-secret");
  expect(lines.join()).toContain("[hidden]");
});

test("an error shows its message, code and causes, but neither a statement's parameters nor a URL's password", () => {
  const { log, lines } = record();
  const cause = Object.assign(new Error("connect postgres://me:t0p-secret@db:5432/x failed"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("query failed", { cause }), { parameters: ["t0p-secret"], args: ["t0p-secret"] });
  log.error({ err: error }, "no");
  const { err } = JSON.parse(lines[0]!);
  expect(err).toMatchObject({
    message: "query failed",
    cause: { code: "ECONNREFUSED", message: "connect postgres://me:***@db:5432/x failed" },
  });
  expect(lines[0]).not.toContain("t0p-secret");
});

test("what was thrown and is no error is shown as text", () => {
  const { log, lines } = record();
  log.error({ err: "a string" }, "no");
  expect(JSON.parse(lines[0]!).err).toEqual({ type: "string", message: "a string" });
});

test("less important messages than the level are left out", () => {
  const { log, lines } = record("warn");
  log.info("quiet");
  log.warn("loud");
  expect(lines).toHaveLength(1);
});

test("passwords in URLs are hidden in any text", () => {
  expect(hideUrlPasswords("see postgres://a:b@c/d and https://e:f@g, not mailto:x@y")).toBe(
    "see postgres://a:***@c/d and https://e:***@g, not mailto:x@y",
  );
});
