import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { chatServer } from "../../../test/fakes/chat-server.ts";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { platformFetch } from "../../../test/kit/platform-fetch.ts";
import { answerChatRequest } from "./answer-chat-request.ts";
import { callChat } from "./chat-client.ts";
import { ChatError } from "./chat-error.ts";

const chat = await chatServer();
const access = { apiUrl: chat.url, token: "xoxb-secret", fetch: platformFetch };
chat.addWorkspace({ ref: "T1", token: "xoxb-secret" });
chat.addUser("T1", "U1", { email: "a@example.com" });

const failureOf = async (limits: Parameters<typeof callChat>[3] = {}) => {
  const error: unknown = await callChat(access, "users.info", { user: "U1" }, limits).catch((thrown: unknown) => thrown);
  if (!(error instanceof ChatError)) throw new Error("the call did not fail as it should", { cause: error });
  expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain("xoxb");
  return { kind: error.kind, message: error.message, retryAfterMs: error.retryAfterMs };
};

test("a call that the platform can't take now is tried again as often as it may be, and no more", async () => {
  chat.fail("users.info", "CUT", { status: 503 });
  expect(await callChat(access, "users.info", { user: "U1" }, { retries: 2 })).toMatchObject({ ok: true });
  chat.fail("users.info", "CUT", "CUT");
  expect(await failureOf({ retries: 1 })).toMatchObject({ kind: "unreachable" });
  chat.reset();
  chat.fail("users.info", "CUT");
  expect(await failureOf()).toMatchObject({ kind: "unreachable" });
  expect(chat.calls).toHaveLength(1);
});

test("a call waits no longer than it may: for an answer, and for its turn", async () => {
  // Long enough for the request to arrive on a busy machine: each gets the failure that is meant for it.
  chat.fail("users.info", "HANG");
  expect(await failureOf({ timeoutMs: 1000 })).toMatchObject({ kind: "unreachable", message: "it did not respond in time" });
  chat.fail("users.info", "HANG");
  expect(await failureOf({ signal: AbortSignal.timeout(1000) })).toMatchObject({
    kind: "unreachable",
    message: "it did not respond in time",
  });
  chat.fail("users.info", { status: 429, retryAfter: 30 });
  expect(await failureOf({ patienceMs: 1000 })).toMatchObject({ kind: "rate-limited", retryAfterMs: 30_000 });
  chat.fail("users.info", { status: 429, retryAfter: 0 });
  expect(await callChat(access, "users.info", { user: "U1" }, { patienceMs: 1000 })).toMatchObject({ ok: true });
});

test.each<[Parameters<typeof chat.fail>[1], string]>([
  ["token_revoked", "the workspace has removed the app"],
  ["something_new", "it refused (something_new)"],
  [{ status: 404, body: "no" }, "it answered with status 404"],
  [{ status: 200, body: "<html>" }, "its answer is not a JSON object"],
  [{ status: 200, body: "[]" }, "its answer is not a JSON object"],
  [{ status: 302 }, "it can't be reached"],
])("the answer %j is reported in a sentence", async (failure, message) => {
  chat.fail("users.info", failure);
  expect((await failureOf()).message).toContain(message);
});

test("an invalid address is reported, too", async () => {
  const call = callChat({ apiUrl: "no address", fetch: platformFetch }, "users.info", {});
  await expect(call).rejects.toThrow("it can't be reached");
});

test.each([
  "http://127.0.0.1:1/x",
  "https://example.com/x",
  "https://evilslack.com/x",
  "http://hooks.slack.com/x",
  "nothing",
  "file:///etc/passwd",
])("a response is not sent to %s", async (address) => {
  await expect(answerChatRequest({ apiUrl: chat.url, fetch: platformFetch }, address, { text: "x" })).rejects.toThrow(
    "does not belong to the platform",
  );
  await expect(answerChatRequest({ apiUrl: "https://slack.com/api", fetch: platformFetch }, address, { text: "x" })).rejects.toThrow(
    "does not belong to the platform",
  );
});

test("an instance without chat does not load the platform's library", { timeout: 30_000 }, async () => {
  const program = await buildProgram(fileURLToPath(new URL("../../../test/processes/chat-free-program.ts", import.meta.url)), [
    "@slack/*",
    "cookie",
    "nodemailer",
    "octokit",
    "undici",
    "yaml",
  ]);
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ hasEndpoints: true, before: false, after: true });
});
