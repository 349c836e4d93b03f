import { onlineManager } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connection, recheckConnection, recheckSession } from "./connection.ts";

/** The service's response: a status, or none. */
let answer: number | undefined = 200;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return new Response(null, { status: answer });
  });
});
afterEach(async () => {
  answer = 200;
  await vi.advanceTimersByTimeAsync(5_000);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([
  [undefined, "offline", false],
  [502, "offline", false],
  [401, "signedOut", true],
  [423, "signedOut", true],
  [200, "online", true],
  [503, "online", true],
])("after a failure, when the service answers %s, it is %s", async (status, state, asksOn) => {
  answer = status;
  recheckConnection();
  await vi.advanceTimersByTimeAsync(0);
  expect([connection.get(), onlineManager.isOnline()]).toEqual([state, asksOn]);
});

test("listeners are called once, the service is polled every two seconds despite more failures, and recovery is noticed", async () => {
  answer = undefined;
  const tell = vi.fn();
  const leave = connection.subscribe(tell);
  for (let failures = 0; failures < 20; failures++) recheckConnection();
  await vi.advanceTimersByTimeAsync(0);
  for (let failures = 0; failures < 20; failures++) recheckConnection();
  await vi.advanceTimersByTimeAsync(5_900);
  expect([tell.mock.calls.length, asked]).toEqual([1, 3]);
  answer = 200;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([connection.get(), tell.mock.calls.length]).toEqual(["online", 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(4);
  leave();
});

test("where people sign in, a rejected request does not make the page ask the service again and again", async () => {
  answer = 401;
  for (const place of ["/sign-in", "/sign-in/invitation", "/activate"]) {
    window.history.replaceState({}, "", place);
    recheckSession();
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect([asked, connection.get()]).toEqual([0, "online"]);
  window.history.replaceState({}, "", "/activate-me/workflows");
  recheckSession();
  await vi.advanceTimersByTimeAsync(0);
  expect([asked, connection.get()]).toEqual([1, "signedOut"]);
  window.history.replaceState({}, "", "/");
});
