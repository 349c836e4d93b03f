import { cleanup, screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { showRun } from "./show-run.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const reader = { permissions: ["workflowrun/read"] };

async function release(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  return screen.findByRole("menuitem", { name: /Release workspaces/ });
}
const whyNot = (button: HTMLElement) => button.getAttribute("aria-description");

test("a run that waits for its quota says so; a refusal to start it now is shown until its state changes", async () => {
  const message = "The quota maxConcurrentRuns of the team is 1, and 1 run is active";
  service.byEnd.set("/start", () => ({ status: 429, body: { status: 429, reason: "QUOTA_EXCEEDED", message } }));
  service.byEnd.set("/cancel", () => ({ status: 200, body: { id: "r1" } }));
  const { user, become } = await showRun([], { status: "notstarted", phase: "queued", waitingFor: "1 of 1 runs are active" });
  await screen.findByText("1 of 1 runs are active");
  await user.click(screen.getByRole("button", { name: "Start now" }));
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  become({ status: "cancelled", phase: "completed", waitingFor: undefined } as never);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel run" }));
  await screen.findByRole("button", { name: "Run again" });
  expect(screen.queryByText(message)).toBeNull();
  expect(screen.queryByText("1 of 1 runs are active")).toBeNull();
});

test("a reader sees why running again is not allowed", async () => {
  await showRun([], {}, reader);
  expect(whyNot(await screen.findByRole("button", { name: "Run again" }))).toContain("workflowrun/action");
});

test("the workspaces of a run are released after a confirmation", async () => {
  let asked = 0;
  service.byEnd.set("/finalize", () => {
    asked++;
    return { status: 200, body: { id: "r1" } };
  });
  const { user, become } = await showRun([]);
  await user.click(await release(user));
  const dialog = within(await screen.findByRole("dialog", { name: "Release the workspaces of this run?" }));
  expect(asked).toBe(0);
  become({ phase: "finalized" });
  await user.click(dialog.getByRole("button", { name: "Release workspaces" }));
  await screen.findByText("Workspaces released");
  expect(asked).toBe(1);
  expect(whyNot(await release(user))).toContain("already released");
});

test("before the run has ended, the menu says why workspaces can't be released; readers always see why", async () => {
  const { user } = await showRun([], { status: "running", phase: "running" });
  expect(whyNot(await release(user))).toContain("has not ended yet");
  cleanup();
  service.byEnd.clear();
  const other = await showRun([], {}, reader);
  expect(whyNot(await release(other.user))).toContain("workflowrun/action");
});
