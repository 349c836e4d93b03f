import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { answerBy } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { GlobalTasksPage, TeamTasksPage } from "./tasks-page.tsx";

afterEach(cleanup);

const taskOf = (name: string, displayName: string) => ({ id: name, name, displayName, type: "script", version: 1, status: "active" });

/** @returns the lists that were asked for, without those that only the filters need */
function answerTasks() {
  const asked: string[] = [];
  answerBy({
    "/task/query": (_, { pathname, searchParams }) => {
      const scope = pathname.startsWith("/api/v2/team/") ? "team" : "global";
      if (searchParams.get("limit") === "200") asked.push(`${scope} ${searchParams.get("search") ?? ""}`.trim());
      const content = [scope === "team" ? taskOf("greet", "Greet people") : taskOf("manual-approval", "Approval")];
      return { status: 200, body: { content, totalElements: 1 } };
    },
  });
  return asked;
}

const reader = { id: "user:1", userId: "1", kind: "session", permissions: [] };

test("a reader sees the tasks of the team and the global ones, and why none can be created", async () => {
  const asked = answerTasks();
  const teams = [{ id: "1", name: "hawks", displayName: "Hawks", permissions: ["**/read"] }];
  const { user, address } = await showPage(
    <TeamTasksPage />,
    [[callerQuery.queryKey, { ...reader, teams }]],
    "/hawks/task-manager",
    "/$team/task-manager",
  );
  expect((await screen.findByRole("link", { name: "Greet people" })).getAttribute("href")).toBe("/hawks/task-manager/greet");
  expect(screen.getByRole("button", { name: "Create task" }).getAttribute("aria-description")).toContain("task/write");
  await user.click(screen.getByText("Global"));
  expect((await screen.findByRole("link", { name: "Approval" })).getAttribute("href")).toBe("/admin/task-manager/manual-approval");
  expect(asked).toEqual(["team", "global"]);
  expect(address()).toContain("of=global");
});

test("global tasks are found by the service, with the search in the address", async () => {
  const asked = answerTasks();
  const { address } = await showPage(<GlobalTasksPage />, [[callerQuery.queryKey, { ...reader, permissions: ["**/**"], teams: [] }]]);
  fireEvent.change(await screen.findByLabelText("Search tasks"), { target: { value: "approval" } });
  await waitFor(() => expect(asked).toEqual(["global", "global approval"]));
  expect(address()).toContain("q=approval");
  expect(screen.getByRole("button", { name: "Create task" }).getAttribute("aria-description")).toBeNull();
});
