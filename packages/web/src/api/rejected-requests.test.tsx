import { onlineManager } from "@tanstack/react-query";
import { waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { service } from "../ui/answer-requests.ts";
import { api, call } from "./client.ts";
import { connection } from "./connection.ts";

const readCaller = () => call(api.GET("/api/v2/auth/caller"));

test("a rejected request of a component's test leaves the connection as it is", async () => {
  const seen = vi.fn();
  const leave = connection.subscribe(seen);
  service.byEnd.set("/auth/caller", () => ({ status: 401, body: { reason: "UNAUTHENTICATED", message: "No valid credential: none" } }));
  await expect(readCaller()).rejects.toThrow("No valid credential: none");
  service.byEnd.set("/auth/caller", () => ({ status: 200, body: { id: "user:1" } }));
  await waitFor(async () => expect(await readCaller()).toEqual({ id: "user:1" }));
  leave();
  expect([seen.mock.calls.length, connection.get(), onlineManager.isOnline()]).toEqual([0, "online", true]);
});
