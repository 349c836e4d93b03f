import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { refusal, service } from "../../ui/answer-requests.ts";
import { showPages } from "../../ui/show-component.tsx";
import { ActivityPage } from "./activity-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
  localStorage.clear();
});

const failed = {
  ...{ id: "01980f3e-7d2b-7c3a-9f35-000000000001", workflowRef: "w1", workflowName: "nightly", workflowDisplayName: "Import nightly" },
  ...{ status: "failed", phase: "completed", trigger: "manual", creationDate: "2026-03-01T12:00:00Z", duration: 2_000 },
  ...{ params: [], results: [], labels: {}, warningCount: 2, workflowVersion: 1 },
};

/** @param matching by the statuses that are asked for */
async function showActivity(search: string, matching: (statuses: string | null) => object[], permissions = ["workflowrun/read"]) {
  service.byEnd.set("/workflowrun/query", (_, { searchParams }) => {
    const content = matching(searchParams.get("statuses"));
    const total = content.length;
    return { status: 200, body: { content, number: 0, totalElements: total, totalPages: 1, empty: total === 0, last: true } };
  });
  service.byEnd.set("/workflowrun/count", () => ({ status: 200, body: { status: { all: 1, failed: 1 } } }));
  return showPages(
    { "/$team/activity": ActivityPage },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas: {}, labels: {} }],
    ],
    `/owls/activity${search}`,
  );
}

test("without a run that matches, the filters can be cleared; a reader sees why runs can't be cancelled", async () => {
  const { user, address } = await showActivity('?statuses=["timedout"]', (statuses) => (statuses === "timedout" ? [] : [failed]));
  await screen.findByText("No runs match these filters");
  expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByRole("row", { name: /Import nightly/ });
  expect(address()).toBe("/owls/activity");
  expect(screen.getByRole("button", { name: "Cancel" }).getAttribute("aria-description")).toMatch(
    /needs the permission workflowrun\/action/,
  );
});

test("a team without runs sees how to start one", async () => {
  await showActivity("", () => []);
  await screen.findByText("No runs yet");
  expect(screen.getByRole("link", { name: "Go to workflows" }).getAttribute("href")).toBe("/owls/workflows");
});

test("warnings of a run are counted in the list", async () => {
  await showActivity("", () => [failed]);
  within(await screen.findByRole("row", { name: /Import nightly/ })).getByText("2 warnings");
});

test("the command shows the filter", async () => {
  const { user } = await showActivity('?statuses=["failed"]', () => [failed]);
  await user.click(await screen.findByRole("button", { name: "Show cURL command" }));
  await screen.findByText(/statuses=failed/);
});

test("a filter says that its workflow was deleted or archived, and drops the deleted one", async () => {
  service.byEnd.set("/workflow/query", () => ({ status: 200, body: { content: [{ name: "nightly", displayName: "Import nightly" }] } }));
  service.byEnd.set("/workflow/old", () => refusal(404, "There is no workflow old"));
  service.byEnd.set("/workflow/kept", () => ({
    status: 200,
    body: { name: "kept", displayName: "Kept", archiveDate: "2026-03-01T12:00:00Z" },
  }));
  const { user, address } = await showActivity('?workflows=["old","kept","nightly"]', () => []);
  await screen.findByText("The workflow old no longer exists in this team. Its runs were deleted with it.");
  await screen.findByTitle("Workflow: old (deleted)");
  await screen.findByTitle("Workflow: Kept (archived)");
  screen.getByTitle("Workflow: Import nightly");
  await user.click(screen.getByRole("button", { name: "Remove it from the filter" }));
  expect(address()).toBe("/owls/activity?workflows=%5B%22kept%22%2C%22nightly%22%5D");
});
