import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerBy } from "../answer-requests.ts";
import { showPage } from "../show-component.tsx";
import { LoadingState, NotLoaded } from "./not-loaded.tsx";

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const late = "Still loading: the service has not responded yet.";
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("what loads for long says so, and does not before", async () => {
  await showPage(<LoadingState label="Loading runs" />);
  await pass(3_000);
  expect(screen.queryByText(late)).toBeNull();
  await pass(1_500);
  screen.getByText(late);
});

test("if the service can't be reached either, it says that it waits for the connection, until there is one", async () => {
  const waits = "No connection. This loads as soon as the service can be reached.";
  let status = 504;
  answerBy({ "/api/v2/auth/caller": () => ({ status, body: {} }) });
  await showPage(<NotLoaded query={{ data: undefined, error: null }} label="Loading runs" />);
  await pass(4_500);
  await vi.waitFor(() => screen.getByText(waits));
  status = 200;
  await pass(2_500);
  await vi.waitFor(() => expect(screen.queryByText(waits)).toBeNull());
});
