import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../../api/queries/identity/session.ts";
import { type RunView, runViewsQuery } from "../../../api/queries/run/run-views.ts";
import { answerBy, refusal, service } from "../../../ui/answer-requests.ts";
import { showPages } from "../../../ui/show-component.tsx";
import { ActivityPage } from "../activity-page.tsx";

afterEach(() => {
  cleanup();
  service.clear();
  localStorage.clear();
});

const none = { content: [], number: 0, totalElements: 0, totalPages: 0, empty: true, last: true };
const slow: RunView = {
  ...{ id: "v1", name: "Slowest failures", scope: "team", filter: { statuses: ["failed"] }, order: "DESC", sortBy: "duration", limit: 50 },
  ...{ columns: ["status"], createdByName: "Ada", creationDate: "2026-05-04T06:00:00.000Z", mayChange: true, isDefault: false },
};

async function showActivity(search: string, views: RunView[]) {
  answerBy({ "/workflowrun/query": none, "/workflowrun/count": { status: { all: 0 } }, "/workflowrun/view": { views } });
  for (const method of ["PUT", "POST"])
    service.byEnd.set(`${method} /view`, (body) => ({ status: 200, body: { ...slow, ...(body as object) } }));
  service.byEnd.set("/view/v1", (body) => ({ status: 200, body: { ...slow, ...(body as object) } }));
  service.byEnd.set("/default", () => ({ status: 200, body: {} }));
  const shown = await showPages(
    { "/$team/activity": ActivityPage },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: ["**/**"], teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas: {}, labels: {} }],
      [runViewsQuery("owls").queryKey, views],
    ],
    `/owls/activity${search}`,
  );
  const parameters = () => Object.fromEntries(new URLSearchParams(shown.address().split("?")[1] ?? ""));
  const choose = async (...words: string[]) => {
    for (const word of words) {
      await shown.user.click(await screen.findByRole("button", { name: /^(?:Views|Slowest failures)/ }));
      await shown.user.click(await screen.findByRole("menuitem", { name: word }));
    }
  };
  return { ...shown, parameters, choose };
}

test("a view is saved and renamed with its order, page size and columns", async () => {
  const { user, choose } = await showActivity('?statuses=["failed"]&sort=duration&size=50&columns=["status"]', []);
  await choose("Save as new view…");
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "Slowest failures");
  await user.click(screen.getByRole("button", { name: "Save view" }));
  const look = { filter: { statuses: ["failed"] }, order: "DESC", sortBy: "duration", limit: 50, columns: ["status"] };
  expect(service.changes.at(-1)?.body).toEqual({ name: "Slowest failures", scope: "own", ...look });
  cleanup();
  const second = await showActivity("?saved=v1", [slow]);
  await second.choose("Rename or share…");
  await second.user.type(await screen.findByRole("textbox", { name: "Name" }), "!");
  await second.user.click(screen.getByRole("button", { name: "Save view" }));
  expect(service.changes.at(-1)).toMatchObject({ path: "/team/owls/workflowrun/view/v1", body: { name: "Slowest failures!", ...look } });
});

test("the page opens with the default view, unless the address says what to show; all runs remain in reach", async () => {
  const view = { ...slow, isDefault: true };
  const { parameters, choose } = await showActivity("", [view]);
  expect(parameters()).toMatchObject({ statuses: '["failed"]', sort: "duration", saved: "v1" });
  await choose("Show all runs");
  expect(parameters()).toEqual({ saved: "all" });
  await choose("Slowest failures (default)");
  expect(parameters()["saved"]).toBe("v1");
  await choose("Don't open by default");
  expect(service.changes.at(-1)).toMatchObject({ method: "DELETE", path: "/team/owls/workflowrun/view/v1/default" });
  cleanup();
  const linked = await showActivity('?statuses=["timedout"]', [view]);
  expect(linked.parameters()).toEqual({ statuses: '["timedout"]' });
  await linked.user.click(screen.getByRole("button", { name: "Clear" }));
  expect(linked.parameters()).toEqual({ saved: "all" });
});

test("leaving the page changes nothing about the address of the next one", async () => {
  const { user, address } = await showActivity("?saved=all", [{ ...slow, isDefault: true }]);
  await user.click(await screen.findByRole("link", { name: "Go to workflows" }));
  expect(address()).toBe("/owls/workflows");
});

test("a view that was deleted meanwhile leaves the list as it is; readers can't change a view of the team, but begin with it", async () => {
  const { parameters } = await showActivity('?statuses=["failed"]&saved=gone', [slow]);
  expect(parameters()).toEqual({ statuses: '["failed"]', saved: "gone" });
  screen.getByRole("button", { name: "Views" });
  cleanup();
  const late = await showActivity('?statuses=["failed"]&saved=v1', [slow]);
  service.byEnd.set("/view/v1", () => refusal(404, "Can't find view v1"));
  answerBy({ "/workflowrun/view": { views: [] } });
  await late.choose("Save changes");
  await screen.findByText("Can't find view v1");
  await screen.findByRole("button", { name: "Views" });
  cleanup();
  const reader = await showActivity("?saved=v1", [{ ...slow, mayChange: false }]);
  await reader.user.click(screen.getByRole("button", { name: "Slowest failures" }));
  expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual([
    "Slowest failures",
    "Save as new view…",
    "Show all runs",
    "Open by default",
  ]);
});

test("making a view of the team private is confirmed first", async () => {
  const { user, choose } = await showActivity("?saved=v1", [slow]);
  await choose("Rename or share…");
  await screen.findByRole("button", { name: "Save view" });
  await user.click(screen.getByRole("radio", { name: "Only you" }));
  screen.getByRole("region", { name: "The team loses this view" });
  screen.getByText(/^Ada created it for the team\. Everyone else loses it/);
  await user.click(screen.getByRole("radio", { name: "Everyone in this team" }));
  screen.getByRole("button", { name: "Save view" });
  expect(screen.queryByText(/^Ada created it/)).toBeNull();
  await user.click(screen.getByRole("radio", { name: "Only you" }));
  await user.click(screen.getByRole("button", { name: "Make private" }));
  expect(service.changes.at(-1)).toMatchObject({ path: "/team/owls/workflowrun/view/v1", body: { scope: "own" } });
});
