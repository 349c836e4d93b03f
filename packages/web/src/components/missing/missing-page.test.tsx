import { ApiError } from "@millrace/client/api-error.ts";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { showPage } from "../../ui/show-component.tsx";
import type { Sought } from "./missing-page.tsx";
import { PageView } from "./page-view.tsx";

afterEach(cleanup);

const missing = new ApiError(404, "NOT_FOUND", "There is no such thing", "request-1");

async function show(sought: Sought, error: Error = missing) {
  const { user } = await showPage(
    <PageView query={{ data: undefined, error, refetch: () => undefined }} label="Loading" sought={sought}>
      {() => <p>It is there</p>}
    </PageView>,
    [[teamQuery("hawks").queryKey, { name: "hawks", displayName: "The Hawks" }]],
  );
  const title = (await screen.findByRole("heading", { level: 1 })).textContent;
  const ways = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  return { user, title, ways, text: screen.getByRole("alert").textContent ?? "" };
}

test.each<[Sought, title: string, says: string, ways: string[]]>([
  [{ kind: "team", name: "herons" }, "Team not found", "There is no team herons, or you aren't a member of it.", ["/home"]],
  [
    { kind: "workflow", name: "nightly", team: "hawks" },
    "Workflow not found",
    "Team The Hawks has no workflow nightly.",
    ["/hawks/workflows", "/home"],
  ],
  [{ kind: "run", name: "0198", team: "hawks" }, "Run not found", "Team The Hawks has no run 0198.", ["/hawks/activity", "/home"]],
  [{ kind: "action", name: "0199", team: "hawks" }, "Action not found", "Team The Hawks has no action 0199.", ["/hawks/actions", "/home"]],
  [{ kind: "task", name: "shell", team: "hawks" }, "Task not found", "Team The Hawks has no task shell.", ["/hawks/task-manager", "/home"]],
  [{ kind: "task", name: "shell" }, "Task not found", "There is no global task shell.", ["/admin/task-manager", "/home"]],
  [{ kind: "template", name: "t" }, "Template not found", "There is no template t.", ["/admin/template-workflows", "/home"]],
  [{ kind: "page", name: "/x/y" }, "Page not found", "There is no page at /x/y.", ["/home"]],
  [{ kind: "page", name: "/hawks/y", team: "hawks" }, "Page not found", "There is no page at /hawks/y.", ["/hawks/workflows", "/home"]],
])("of %j the page says what is missing, why it may be, and the ways from here", async (sought, title, says, ways) => {
  const shown = await show(sought);
  expect(shown.title).toBe(title);
  expect(shown.text).toContain(says);
  expect(shown.text).toMatch(/the link may be wrong/);
  expect(shown.text).toContain("Request request-1");
  expect(shown.ways).toEqual(ways);
  screen.getByRole("button", { name: "Search" });
});

test("a page without permission says which one is missing, and who can grant it", async () => {
  const refusal = new ApiError(403, "PERMISSION_DENIED", "Not allowed: needs the role editor");
  const { title, text, ways } = await show({ kind: "workflow", name: "nightly", team: "hawks" }, refusal);
  expect(title).toBe("You don't have access to this page");
  expect(text).toContain("Not allowed: needs the role editor");
  expect(text).toContain("ask an owner of the team or an administrator");
  expect(ways).toEqual(["/hawks/workflows", "/home"]);
});

test("a failed load can be retried", async () => {
  const asked = { times: 0 };
  const query = { data: undefined, error: new ApiError(503, "NOT_READY", "Not ready"), refetch: () => asked.times++ };
  const { user } = await showPage(
    <PageView query={query} label="Loading" sought={{ kind: "team", name: "hawks" }}>
      {() => null}
    </PageView>,
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(asked.times).toBe(1);
});

test("the page of a run that was removed for its age says so", async () => {
  const message = "If it existed, it was removed: the ID is from 2024-01-01, and runs are kept for 90 days after they end";
  const removed = new ApiError(404, "NOT_FOUND", `There is no run 0198. ${message}`, undefined, [{ path: "", message }]);
  const { text } = await show({ kind: "run", name: "0198", team: "hawks" }, removed);
  expect(text).toContain(message);
  expect(text).not.toContain("the link may be wrong");
});
