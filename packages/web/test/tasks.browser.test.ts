import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("tasks", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const base = `/${team.name}/task-manager`;
  const api = `/api/v2/team/${team.name}/task`;

  const script = 'echo "hello $PARAM_WHO"\nprintf \'%s\' "$PARAM_WHO" > "$(results.said.path)"\n';
  const spec = {
    script: `#!/bin/sh\n${script}`,
    params: [{ name: "who", type: "text", label: "Whom", required: true, default: "world" }],
    results: [{ name: "said", description: "Who was greeted" }],
  };
  const make = (name: string, more: Record<string, unknown> = {}) =>
    site.call(site.adminToken, "PUT", `${api}/${name}`, {
      displayName: `Greet by ${name}`,
      category: "Talk",
      type: "script",
      spec,
      ...more,
    });

  const documentOf = async (name: string) => {
    const headers = { authorization: `Bearer ${site.adminToken}`, accept: "application/x-yaml" };
    return (await fetch(`${site.address}${api}/${name}`, { headers })).text();
  };

  test("an editor makes a script task by the form, and the YAML follows", async () => {
    const page = await site.openAs("editor", team, base);
    await page.getByRole("heading", { name: "No team tasks yet" }).waitFor();
    await page.getByRole("button", { name: "Create task" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("greet");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Open editor" }).click();

    await page.getByRole("textbox", { name: "Display name" }).fill("Greet people");
    await page.getByRole("textbox", { name: "Category" }).fill("Talk");
    const yaml = page.getByRole("textbox", { name: "Definition as YAML" });
    await yaml.getByText("millrace.dev/displayName: Greet people").waitFor();
    await page.getByRole("tab", { name: /Parameters/ }).click();
    await page.getByRole("button", { name: "Add parameter" }).click();
    const parameter = page.getByRole("region", { name: /Parameter 1/ });
    await parameter.getByRole("textbox", { name: "Name" }).fill("who");
    await parameter.getByRole("textbox", { name: "Label" }).fill("Whom");
    await page.getByRole("region", { name: "Form preview" }).getByRole("textbox", { name: "Whom" }).waitFor();
    await takePictures(page, "task-parameters");
    await expectAccessible(page);
    await page.getByRole("tab", { name: /Results/ }).click();
    await page.getByRole("button", { name: "Add result" }).click();
    await page.getByRole("textbox", { name: "Name of result 1" }).fill("said");
    await page.getByRole("tab", { name: /Steps/ }).click();
    await page.getByRole("textbox", { name: "Script of step 1" }).fill(script);
    await page.getByText("Valid").waitFor();
    await page.getByRole("button", { name: /Command, environment/ }).click();
    await page.getByRole("button", { name: "Add variable" }).click();
    await page.getByRole("textbox", { name: "Value of variable 1" }).fill("on");
    await yaml.getByText('value: "on"').waitFor();
    await expectAccessible(page);
    await takePictures(page, "task-steps");
    await page.getByRole("button", { name: "Remove variable 1" }).click();
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click();
    await page.getByText("version 1", { exact: false }).first().waitFor();
    const stored = await site.call(site.adminToken, "GET", `${api}/greet`);
    expect(stored).toMatchObject({
      displayName: "Greet people",
      category: "Talk",
      type: "script",
      spec: { params: [{ name: "who", label: "Whom" }], results: [{ name: "said" }] },
    });
  });

  test("YAML that is broken leaves the form as it was, and its line is marked in the service's words", async () => {
    await make("marked");
    const page = await site.openAs("editor", team, `${base}/marked`);
    const yaml = page.getByRole("textbox", { name: "Definition as YAML" });
    const whole = await documentOf("marked");
    await yaml.fill(`${whole}\n  broken: [1,\n`);
    await page.getByText("The form is paused").waitFor();
    await page
      .getByRole("list", { name: "Problems" })
      .getByText(/Line \d+/)
      .first()
      .waitFor();
    expect(await page.getByRole("textbox", { name: "Display name" }).inputValue()).toBe("Greet by marked");
    await takePictures(page, "task-broken-yaml");
    await yaml.fill(whole.replace("script: |", "timeout: soon\n      script: |"));
    await page
      .getByText(/must be a duration such as/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Save" }).hover();
    await page.getByText(/The definition is not valid/).waitFor();
  });

  test("comments of the YAML stay when the form changes something else", async () => {
    await make("commented");
    const page = await site.openAs("editor", team, `${base}/commented`);
    const yaml = page.getByRole("textbox", { name: "Definition as YAML" });
    await yaml.fill((await documentOf("commented")).replace("spec:", "# why it is here\nspec:"));
    await page.getByRole("textbox", { name: "Display name" }).fill("With a comment");
    await yaml.getByText("millrace.dev/displayName: With a comment").waitFor();
    await page.getByRole("note").getByText("Comments are not saved: only the document without them is saved.").waitFor();
    await yaml.getByText("# why it is here").waitFor();
  });

  test("a save is a new version with its reason and diff, and an old one is restored", async () => {
    await make("versioned");
    const page = await site.openAs("editor", team, `${base}/versioned`);
    await page.getByRole("textbox", { name: "Description" }).fill("Says hello to everybody");
    await page.getByText("Unsaved changes").waitFor();
    await takePictures(page, "task-edit");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Change message" }).fill("It says what it does");
    await expectAccessible(page);
    await takePictures(page, "task-save");
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("Version 2 saved").waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("It says what it does").waitFor();
    await page.getByText("Version 2 compared with version 1").waitFor();
    await page.getByRole("textbox", { name: "Version 2" }).getByText("Says hello to everybody").waitFor();
    await expectAccessible(page);
    await takePictures(page, "task-versions");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Save as version 3" }).click();
    await page.getByText("Restores version 1").waitFor();
    const restored = await site.call(site.adminToken, "GET", `${api}/versioned`);
    expect(restored).toMatchObject({ version: 3 });
    expect(restored).not.toHaveProperty("description");
  });

  test("when someone else saved first, you see both and decide", async () => {
    await make("contended");
    const page = await site.openAs("editor", team, `${base}/contended`);
    await page.getByRole("textbox", { name: "Description" }).fill("Mine");
    await make("contended", { description: "Theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /Save as version/ }).click();
    await page.getByText(/saved version 2 while you were editing/).waitFor();
    await page.getByRole("button", { name: "Overwrite" }).click();
    await page.getByText("Version 3 saved").waitFor();
    expect(await site.call(site.adminToken, "GET", `${api}/contended`)).toMatchObject({ description: "Mine", version: 3 });
  });

  test("nothing is saved over changes that could not be loaded, and loading can be retried", async () => {
    await make("unseen");
    const page = await site.openAs("editor", team, `${base}/unseen`);
    await page.getByRole("textbox", { name: "Description" }).fill("Mine");
    await make("unseen", { description: "Theirs" });
    const reads = /\/task\/unseen(\?|$)/;
    await page.route(reads, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /Save as version/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Try again" }).waitFor();
    expect(await dialog.getByRole("button", { name: "Overwrite" }).isDisabled()).toBe(true);
    await page.unroute(reads);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await page.getByText(/saved version 2 while you were editing/).waitFor();
    await dialog.getByRole("button", { name: "Overwrite" }).click();
    await page.getByText("Version 3 saved").waitFor();
  });

  test("a try shows status, result and log in place, and leaves no workflow behind", async () => {
    await make("tried");
    const page = await site.openAs("editor", team, `${base}/tried?view=try`);
    await page.getByRole("textbox", { name: "Whom" }).fill("Ada");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("status", { name: "Test status" }).getByText("Succeeded").waitFor();
    await page.getByRole("log").getByText("hello Ada").waitFor();
    await page.getByRole("region", { name: "Results" }).getByText("Ada").waitFor();
    await expectAccessible(page);
    await takePictures(page, "task-try");
    const workflows = await site.call(site.adminToken, "GET", `/api/v2/team/${team.name}/workflow/query?limit=10&page=0`);
    expect(workflows).toMatchObject({ totalElements: 0 });
  });

  test("unsaved changes are tried as they are, and nothing is saved by it", async () => {
    await make("drafted");
    const page = await site.openAs("editor", team, `${base}/drafted`);
    await page.getByRole("tab", { name: "Steps" }).click();
    const field = page.getByRole("textbox", { name: "Script" });
    await field.fill(`#!/bin/sh\n${script.replace("hello", "good morning")}`);
    await page.getByRole("tab", { name: "Test" }).click();
    await page.getByRole("heading", { name: "Run your draft now" }).waitFor();
    await page.getByText("Nothing is saved: version 1 stays the latest.").waitFor();
    await page.getByRole("textbox", { name: "Whom" }).fill("Ada");
    await page.getByRole("button", { name: "Run draft" }).click();
    await page.getByRole("log").getByText("good morning Ada").waitFor();
    await page.getByRole("status", { name: "Test status" }).getByText("Succeeded").waitFor();
    await expectAccessible(page);
    await takePictures(page, "task-try-draft");
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "task-try-draft-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await site.call(site.adminToken, "GET", `${api}/drafted`)).toMatchObject({ version: 1, spec: { script: spec.script } });
    await page.getByText("Version 1", { exact: true }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("log").getByText("hello Ada").waitFor();
  });

  test("a task is tried before it is created, and what the service would refuse is told at the button", async () => {
    const page = await site.openAs("editor", team, `${base}/unborn?new=script`);
    await page.getByRole("tab", { name: "Test" }).click();
    await page.getByText("Runs your draft without creating the task").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Run draft" }).click();
    await page.getByRole("log").getByText("hello").waitFor();
    const tasks = await site.call(site.adminToken, "GET", `${api}/query?names=unborn&limit=10&page=0`);
    expect(tasks).toMatchObject({ totalElements: 0 });
    await page.getByRole("tab", { name: "Edit" }).click();
    await page
      .getByRole("textbox", { name: "Definition as YAML" })
      .fill("apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: unborn\nspec:\n  steps: []\n");
    await page.getByRole("tab", { name: "Test" }).click();
    const button = page.getByRole("button", { name: "Run draft" });
    await expect.poll(() => button.getAttribute("aria-description")).toContain("The definition is not valid");
  });

  test("an administrator tries unsaved changes of a global task in a team", async () => {
    await site.call(site.adminToken, "PUT", "/api/v2/task/everywhere", { type: "script", spec: { script: "echo saved" } });
    const page = await site.open("/admin/task-manager/everywhere", site.adminToken);
    await page.getByRole("tab", { name: "Steps" }).click();
    await page.getByRole("textbox", { name: "Script" }).fill("echo from the draft");
    await page.getByRole("tab", { name: "Test" }).click();
    await page.getByRole("combobox", { name: "In the team" }).click();
    await page.getByRole("option", { name: team.name }).click();
    await page.getByRole("button", { name: "Run draft" }).click();
    await page.getByRole("log").getByText("from the draft").waitFor();
    expect(await site.call(site.adminToken, "GET", "/api/v2/task/everywhere")).toMatchObject({
      version: 1,
      spec: { script: "echo saved" },
    });
  });

  test("the workflows that use a task are named with the version they have", async () => {
    await make("used");
    const workflow = {
      name: "greeting",
      displayName: "Greeting",
      tasks: [{ name: "one", taskRef: "used", params: [{ name: "who", value: "Ada" }] }],
    };
    await site.call(site.adminToken, "POST", `/api/v2/team/${team.name}/workflow`, workflow);
    await make("used", { description: "Newer" });
    const page = await site.openAs("reader", team, `${base}/used?view=uses`);
    await page.getByRole("link", { name: "Greeting" }).waitFor();
    await page.getByText("latest is 2").waitFor();
    await expectAccessible(page);
    await site.call(site.adminToken, "DELETE", `/api/v2/team/${team.name}/workflow/greeting`);
  });

  test("a task is archived without a new version, found as such, and taken back", async () => {
    await make("archived");
    const page = await site.openAs("editor", team, `${base}/archived`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Archive task" }).click();
    await page.getByText("Archived", { exact: true }).waitFor();
    expect(await site.call(site.adminToken, "GET", `${api}/archived`)).toMatchObject({ version: 1, status: "inactive" });
    await page.goto(`${site.address}${base}?status=inactive`);
    await page.getByRole("link", { name: "Greet by archived" }).waitFor();
    await page.getByText("1 task", { exact: true }).waitFor();
  });

  test("changes that are not saved are not lost by a link without a question", async () => {
    await make("guarded");
    const page = await site.openAs("editor", team, `${base}/guarded`);
    await page.getByRole("textbox", { name: "Description" }).fill("Not saved");
    await page.getByRole("link", { name: "Task Manager" }).click();
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Not saved");
    await page.getByRole("link", { name: "Task Manager" }).click();
    await page.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
  });

  test("an owner deletes a task by typing its name", async () => {
    await make("doomed");
    const page = await site.openAs("owner", team, `${base}/doomed`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("textbox", { name: "Type doomed to confirm" }).fill("doomed");
    await page.getByRole("button", { name: "Delete task" }).click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await page.getByRole("link", { name: "Greet by doomed" }).waitFor({ state: "detached" });
  });

  test("a document of the catalogue is pasted and becomes a task", async () => {
    const page = await site.openAs("editor", team, base);
    await page.getByRole("button", { name: "Create task" }).first().click();
    await page.getByText("YAML", { exact: true }).click();
    const document =
      "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: pasted\nspec:\n  steps:\n    - name: one\n      script: echo\n";
    await page.getByRole("textbox", { name: "Task document" }).fill(document);
    await page.getByText("Valid").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click();
    await page.getByRole("heading", { level: 1, name: "pasted" }).waitFor();
  });

  test("a reader sees the tasks and why they can't be changed or run", async () => {
    await make("seen");
    const page = await site.openAs("reader", team, base);
    await page.getByRole("link", { name: "Greet by seen" }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "tasks");
    expect(await page.getByRole("button", { name: "Create task" }).getAttribute("aria-description")).toContain("task/write");
    await page.getByText("Global", { exact: true }).click();
    await page.getByRole("link", { name: "Execute Shell" }).waitFor();
    await takePictures(page, "tasks-global");
    await page.goto(`${site.address}${base}/seen`);
    await page.getByText("You have read-only access to this task").waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Test" }).click();
    expect(await page.getByRole("button", { name: "Run" }).getAttribute("aria-description")).toContain("task/action");
  });

  test("a StepAction has a page without what only tasks have, and a step that refers to it says so", async () => {
    await make("shared-step", { displayName: "Shared step", type: "stepaction", spec: { script: "echo" } });
    await make("refers", { type: "template", spec: { steps: [{ name: "shared", ref: { name: "shared-step" } }] } });
    const page = await site.openAs("editor", team, `${base}/shared-step`);
    await page.getByRole("heading", { name: "Shared step" }).waitFor();
    await page.getByText("kind: StepAction").waitFor();
    await page.getByRole("tab", { name: "Versions" }).waitFor();
    expect(await page.getByRole("tab", { name: "Test" }).count()).toBe(0);
    expect(await page.getByRole("tab", { name: "Steps" }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${site.address}${base}/refers`);
    await page.getByRole("tab", { name: /Steps/ }).click();
    await page.getByText("Runs the StepAction shared-step").waitFor();
  });

  test("global tasks are changed by an administrator; others see why they can't", async () => {
    const page = await site.openAs("owner", team, "/admin/task-manager/execute-shell");
    await page.getByText("Only administrators and operators can edit global tasks.").waitFor();
    const admin = await site.open("/admin/task-manager", site.adminToken);
    await admin.getByRole("textbox", { name: "Search tasks" }).fill("approval");
    await admin
      .getByRole("link", { name: /Approval/ })
      .first()
      .waitFor();
    await expectAccessible(admin);
    await admin.goto(`${site.address}/admin/task-manager/execute-shell`);
    await admin.getByRole("textbox", { name: "Display name" }).waitFor();
    await takePictures(admin, "task-global");
  });

  test("the editor folds on a narrow screen and does not scroll sideways", async () => {
    await make("narrow");
    const page = await site.openAs("editor", team, `${base}/narrow`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("textbox", { name: "Display name" }).waitFor();
    await takePictures(page, "task-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.goto(`${site.address}${base}`);
    await page.getByRole("link", { name: "Greet by narrow" }).waitFor();
    await takePictures(page, "tasks-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
