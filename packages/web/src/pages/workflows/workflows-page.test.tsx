import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPages } from "../../ui/show-component.tsx";
import { WorkflowsPage } from "./workflows-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
  service.sent.length = 0;
});

const release = { id: "w1", name: "release", displayName: "Release", status: "active", version: 1, params: [], labels: {}, runs: [] };
const owner = ["workflow/read", "workflow/write", "workflow/action", "workflow/delete"];
const quotas = { currentWorkflowCount: 1, maxWorkflowCount: 1000, currentRuns: 0, currentConcurrentRuns: 0 };

/** The service's list, and the requests for it. */
async function showWorkflows({ permissions = owner, search = "", workflows = [release], total = 0 } = {}) {
  const asked: string[] = [];
  service.byEnd.set("/workflow/query", (_, { searchParams }) => {
    asked.push(["sortBy", "sort", "page", "search"].map((name) => searchParams.get(name)).join(" "));
    return { status: 200, body: { content: workflows, totalElements: total || workflows.length, totalPages: Math.ceil(total / 50) } };
  });
  service.byEnd.set("/workflow-label/query", () => ({ status: 200, body: { total, labels: [] } }));
  service.byEnd.set("/team/owls", () => ({ status: 200, body: { name: "owls", displayName: "Owls", quotas } }));
  const shown = await showPages(
    { "/$team/workflows": WorkflowsPage },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas }],
    ],
    `/owls/workflows${search}`,
  );
  return { ...shown, asked };
}

const button = (name: string) => screen.findByRole("button", { name });
const whyNot = (element: HTMLElement) => element.getAttribute("aria-description");

test("a reader sees why running, changing and creating are not allowed", async () => {
  const { user } = await showWorkflows({ permissions: ["workflow/read"] });
  expect(whyNot(await button("Create workflow"))).toContain("workflow/write");
  expect((await button("Create workflow")).getAttribute("aria-disabled")).toBe("true");
  expect(whyNot(await button("Run Release"))).toContain("workflow/action");
  await user.click(await button("More actions for Release"));
  expect(whyNot(await screen.findByRole("menuitem", { name: "Delete" }))).toContain("workflow/delete");
});

test("a team without workflows sees how to create one", async () => {
  await showWorkflows({ workflows: [] });
  const way = await screen.findByRole("link", { name: "Start from a template" });
  expect(way.getAttribute("href")).toBe("/owls/workflows/create?from=template");
});

test("the service sorts the list over all of its pages, and the address keeps the order", async () => {
  const { user, address, asked } = await showWorkflows({ total: 55 });
  await screen.findByText("1–50 of 55");
  await user.click(await button("Name"));
  await user.click(await button("Name"));
  expect(address()).toContain("sort=name");
  await user.click(await button("Page 2"));
  await expect.poll(address).toContain("page=2");
  await user.click(await button("Success"));
  await expect.poll(address).not.toContain("page=");
  expect(asked).toEqual(["lastRun DESC 0 ", "name ASC 0 ", "name DESC 0 ", "name DESC 1 ", expect.stringMatching(/^success.* 0 $/)]);
});

test("the search of the address is applied", async () => {
  const { asked } = await showWorkflows({ search: "?q=rel&sort=name&desc=true" });
  await screen.findByRole("link", { name: "Release" });
  expect(asked).toEqual(["name DESC 0 rel"]);
});

test("an inactive workflow says so", async () => {
  await showWorkflows({ workflows: [{ ...release, status: "inactive" }] });
  within(await screen.findByRole("row", { name: /Release/ })).getByText("Inactive");
});

test("deactivating a workflow keeps its parameters and creates no version", async () => {
  const saved = { ...release, params: [{ name: "city" }], tasks: [] };
  const sent: unknown[] = [];
  service.byEnd.set("/workflow/release", () => ({ status: 200, body: saved }));
  service.byEnd.set("/team/owls/workflow", (body, { searchParams }) => {
    sent.push([searchParams.get("replace"), body]);
    return { status: 200, body: saved };
  });
  const { user } = await showWorkflows();
  await user.click(await button("More actions for Release"));
  await user.click(await screen.findByRole("menuitem", { name: "Deactivate" }));
  await expect.poll(() => sent).toEqual([["true", { ...saved, status: "inactive" }]]);
});

test("a workflow is deleted after its name was typed", async () => {
  const deleted: string[] = [];
  service.byEnd.set("/workflow/release", (_, { pathname }, { method }) => {
    deleted.push(`${method} ${pathname}`);
    return { status: 200, body: {} };
  });
  service.byEnd.set("/workflowrun/query", () => ({ status: 200, body: { content: [], totalElements: 0 } }));
  const { user } = await showWorkflows();
  await user.click(await button("More actions for Release"));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Release" }));
  await user.type(dialog.getByLabelText("Type release to confirm"), "release");
  expect(deleted).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Delete workflow" }));
  await screen.findByText("Release deleted.");
  expect(deleted).toEqual(["DELETE /api/v2/team/owls/workflow/release"]);
});
