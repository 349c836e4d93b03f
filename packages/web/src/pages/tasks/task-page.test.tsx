import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { allTeamsQuery, callerQuery } from "../../api/queries/identity/session.ts";
import { taskChangesQuery, taskQuery, tasksQuery } from "../../api/queries/task/tasks.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { GlobalTaskPage, TeamTaskPage } from "./task-page.tsx";

afterEach(cleanup);

const documentOf = (name: string, type: string, spec: string) => `apiVersion: tekton.dev/v1
kind: ${type === "stepaction" ? "StepAction" : "Task"}
metadata:
  name: ${name}
  annotations:
    millrace.dev/displayName: Greet people
    millrace.dev/type: ${type}
spec:
${spec}`;

interface Given {
  scope?: "hawks" | undefined;
  permissions?: string[];
  type?: string;
  spec?: string;
  at?: string;
  annotations?: Record<string, string>;
}

const steps = "  steps:\n    - name: main\n      script: echo\n";

/** The page of the task `greet` in version 1. */
function showTask({ scope, permissions = ["**/**"], type = "script", spec = steps, at = "", annotations = {} }: Given) {
  answerBy({ "/validate": {} });
  const task = { id: "t1", name: "greet", displayName: "Greet people", type, version: 1, status: "active", spec: {}, annotations };
  const own = scope === undefined ? permissions : [];
  const teams = scope === undefined ? [] : [{ id: "1", name: "hawks", displayName: "Hawks", permissions }];
  const known = [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: own, teams }],
    [allTeamsQuery({ search: "", status: "active", page: 0 }).queryKey, { content: [{ name: "hawks" }, { name: "owls" }] }],
    [taskQuery(scope, "greet").queryKey, { task, text: documentOf("greet", type, spec), etag: '"1"' }],
    [taskChangesQuery(scope, "greet").queryKey, []],
    [tasksQuery(scope).queryKey, []],
  ] as const;
  return scope === undefined
    ? showPage(<GlobalTaskPage />, known, `/admin/task-manager/greet${at}`, "/admin/task-manager/$task")
    : showPage(<TeamTaskPage />, known, `/hawks/task-manager/greet${at}`, "/$team/task-manager/$task");
}

const reader = ["**/read"];
const editor = ["**/read", "**/write", "**/action"];
const tabs = () => screen.getAllByRole("tab").map(({ textContent }) => textContent);
const described = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-description");

test("a reader sees the task, that it can't be changed, and why it can't be run", async () => {
  const { user } = await showTask({ scope: "hawks", permissions: reader });
  await screen.findByText("You have read-only access to this task");
  expect(described("Save")).toContain("task/write");
  await user.click(screen.getByRole("tab", { name: "Test" }));
  expect(described("Run")).toContain("task/action");
});

test("a global task says to an owner of a team that only others can change it", async () => {
  await showTask({ permissions: reader });
  await screen.findByText(/Only administrators and operators can edit global tasks\./);
});

test("a StepAction has a page without what only tasks have", async () => {
  await showTask({ scope: "hawks", type: "stepaction", spec: "  script: echo\n" });
  await screen.findByRole("heading", { name: "Greet people" });
  expect(tabs()).toContain("Versions");
  expect(tabs()).not.toContain("Test");
  expect(screen.queryByRole("tab", { name: "Steps" })).toBeNull();
});

test("a step that refers to a StepAction says so", async () => {
  await showTask({
    scope: "hawks",
    type: "template",
    spec: "  steps:\n    - name: shared\n      ref:\n        name: shared-step\n",
    at: "?part=steps",
  });
  await screen.findByText(/Runs the StepAction/);
  screen.getByText("shared-step", { selector: "code, strong, b" });
});

test("an external task lists the programs that run it, or says that there are none", async () => {
  const external = {
    scope: "hawks",
    type: "custom",
    spec: "  description: x\n",
    annotations: { "millrace.dev/executor": "external" },
  } as const;
  const at = { startDate: "2026-01-01T10:00:00Z", leaseUntilDate: "2026-01-01T10:05:00Z" };
  const worker = (name: string, more: object) => ({
    id: name,
    name,
    tasks: ["greet"],
    alive: true,
    asking: false,
    running: 0,
    ...at,
    ...more,
  });
  const answer = {
    workers: [
      worker("billing-1", { asking: true, running: 2 }),
      worker("billing-2", { running: 10 }),
      worker("billing-3", {}),
      worker("billing-4", { alive: false }),
    ],
  };
  const { user } = await showTask(external);
  answerBy({ "/validate": {}, "GET /external/worker": answer });
  await user.click(screen.getByRole("tab", { name: "Workers" }));
  await screen.findByText("billing-1");
  const states = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[1]?.textContent);
  expect(states).toEqual(["Asks for work", "Busy", "Asks for nothing", "Gone"]);
  cleanup();
  await showTask({ ...external, at: "?view=workers" });
  answerBy({ "/validate": {}, "GET /external/worker": { workers: [] } });
  await screen.findByText(/with a token of this team whose tasks include greet/);
});

test("a task that runs in Millrace has no list of external workers", async () => {
  await showTask({ scope: "hawks" });
  expect(tabs()).not.toContain("Workers");
});

test("an owner deletes a task by typing its name; an editor sees why not", async () => {
  answerBy({ "DELETE /task/greet": {} });
  const { user, address } = await showTask({ scope: "hawks" });
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog"));
  const last = dialog.getByRole<HTMLButtonElement>("button", { name: "Delete task" });
  expect(last.disabled).toBe(true);
  fireEvent.change(dialog.getByLabelText("Type greet to confirm"), { target: { value: "greet" } });
  await user.click(last);
  await waitFor(() => expect(address()).toBe("/hawks/task-manager"));
  expect(service.changes.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual(["/team/hawks/task/greet"]);
  cleanup();
  const asEditor = await showTask({ scope: "hawks", permissions: editor });
  await asEditor.user.click(screen.getByRole("button", { name: "More actions" }));
  const item = await screen.findByRole("menuitem", { name: /^Delete/ });
  expect([item.getAttribute("aria-disabled"), item.textContent]).toEqual(["true", expect.stringContaining("task/delete")]);
});

test("saving is not possible if changes of others could not be loaded, and loading can be retried", async () => {
  const { user } = await showTask({ scope: "hawks" });
  let isLost = true;
  let reads = 0;
  const theirs = { name: "greet", type: "script", version: 2, status: "active", changelog: { author: "Bo" } };
  answerBy({
    "PUT /task/greet": (_, { searchParams }) =>
      searchParams.has("reason") || isLost ? refusal(412, "Someone else saved.") : { status: 200, body: {} },
    "GET /task/greet": () => {
      if (isLost) return refusal(400, "Not now.");
      return { status: 200, body: reads++ % 2 === 0 ? documentOf("greet", "script", steps) : theirs };
    },
  });
  fireEvent.change(screen.getByLabelText("Description"), { target: { value: "Mine" } });
  await user.click(screen.getByRole("button", { name: "Save" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Save as version 2" }));
  await dialog.findByRole("button", { name: "Try again" });
  expect(dialog.getByRole("button", { name: "Overwrite" }).getAttribute("aria-description")).toContain("not loaded yet");
  isLost = false;
  await user.click(dialog.getByRole("button", { name: "Try again" }));
  await dialog.findByText("Bo saved version 2 while you were editing", { exact: false });
  await user.click(dialog.getByRole("button", { name: "Overwrite" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const saves = service.changes.filter(({ method }) => method === "PUT");
  expect(saves.map(({ body }) => body)).toEqual([
    expect.stringContaining("description: Mine"),
    expect.stringContaining("description: Mine"),
  ]);
});

test("an administrator tries unsaved changes of a global task in a team", async () => {
  answerBy({
    "POST /task/greet/try": { id: "run-1" },
    "/workflowrun/run-1": { id: "run-1", status: "ready", phase: "pending", tasks: [] },
  });
  const { user, address } = await showTask({});
  fireEvent.change(screen.getByLabelText("Description"), { target: { value: "Mine" } });
  await user.click(screen.getByRole("tab", { name: "Test" }));
  await user.click(screen.getByRole("combobox", { name: "In the team" }));
  await user.click(await screen.findByRole("option", { name: "owls" }));
  await user.click(screen.getByRole("button", { name: "Run draft" }));
  await waitFor(() => expect(address()).toContain("try=run-1"));
  expect(service.changes.filter(({ path }) => path.endsWith("/try"))).toEqual([
    {
      method: "POST",
      path: "/team/owls/task/greet/try",
      body: { draftDocument: expect.stringContaining("description: Mine"), draftOf: "global", params: [] },
    },
  ]);
});

async function editName(name: string) {
  fireEvent.change(await screen.findByRole("textbox", { name: "Name" }), { target: { value: name } });
}
const closePage = () => {
  window.dispatchEvent(new Event("pagehide"));
  cleanup();
};

test("unsaved changes of a task are there after a reload, and can be discarded", async () => {
  await showTask({ scope: "hawks" });
  await editName("Greet all");
  closePage();
  const { user } = await showTask({ scope: "hawks" });
  const note = await screen.findByRole("region", { name: "Your unsaved changes were restored" });
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveProperty("value", "Greet all");
  await user.click(within(note).getByRole("button", { name: "Discard my changes" }));
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveProperty("value", "greet");
  closePage();
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith("millrace-task-"))).toEqual([]);
});

test("a task with a secret is not kept", async () => {
  await showTask({ scope: "hawks", spec: `  params:\n    - name: pin\n      type: password\n      default: hunter22\n${steps}` });
  await editName("Greet all");
  closePage();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("hunter22");
});

const taskKey = "millrace-task-hawks/greet";

test("a draft of a task that someone else has created since then doesn't overwrite it unseen", async () => {
  const mine = documentOf("greet", "script", steps).replace("Greet people", "Mine");
  sessionStorage.setItem(taskKey, JSON.stringify({ text: mine, base: "starter", at: new Date().toISOString() }));
  const { user } = await showTask({ scope: "hawks" });
  let sentTag: string | null = null;
  answerBy({
    "PUT /task/greet": (_, _address, request) => {
      sentTag = (request as Request).headers.get("if-match");
      return refusal(412, "Someone else saved.");
    },
  });
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Save as version 2" }));
  await waitFor(() => expect(service.changes.some(({ method }) => method === "PUT")).toBe(true));
  expect(sentTag).not.toBeNull();
});

test.each(["{}", "[]", "5", '{"text":null,"base":"","at":""}'])("what can't be a draft of a task is ignored: %s", async (kept) => {
  sessionStorage.setItem(taskKey, kept);
  await showTask({ scope: "hawks" });
  expect(await screen.findByRole("textbox", { name: "Name" })).toHaveProperty("value", "greet");
  expect(screen.queryByRole("region", { name: "Your unsaved changes were restored" })).toBeNull();
});
