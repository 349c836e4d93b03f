import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "./kit/browser.ts";
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

  const narrow = async (page: Page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  };
  const wide = (page: Page) => page.setViewportSize({ width: 1280, height: 800 });
  const read = (path = "greet") => site.call(site.adminToken, "GET", `${api}/${path}`);

  const yamlOf = (page: Page) => page.getByRole("textbox", { name: "Definition as YAML" });
  const descriptionOf = (page: Page) => page.getByRole("textbox", { name: "Description" });

  /** The rules of the editor are in the tests of its components. */
  test(
    "an editor creates a task by the form and by its YAML, changes it, goes back to an old version, and archives it",
    async () => {
      const page = await site.openAs("editor", team, base);
      await page.getByRole("heading", { name: "No team tasks yet" }).waitFor();
      await page.getByRole("button", { name: "Create task" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Name" }).fill("greet");
      await dialog.getByRole("button", { name: "Open editor" }).click();
      await fillsForm(page);
      await page.getByRole("button", { name: "Create task" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click();
      await page.getByText("version 1", { exact: false }).first().waitFor();
      expect(await read()).toMatchObject({
        displayName: "Greet people",
        category: "Talk",
        type: "script",
        spec: { params: [{ name: "who", label: "Whom" }], results: [{ name: "said" }] },
      });
      const whole = await documentOf("greet");
      await breaksYaml(page, whole);
      await keepsComments(page, whole);
      await savesAndRestores(page);
      await savesOverOthers(page);
      await leavesUnsaved(page);
      await archives(page);
      await pastes(page);
    },
    journeyMs,
  );

  /** The YAML follows. */
  async function fillsForm(page: Page) {
    await page.getByRole("textbox", { name: "Display name" }).fill("Greet people");
    await page.getByRole("textbox", { name: "Category" }).fill("Talk");
    const yaml = yamlOf(page);
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
  }

  /** The form stays as it was, and the line is marked in the service's words. */
  async function breaksYaml(page: Page, whole: string) {
    await yamlOf(page).fill(`${whole}\n  broken: [1,\n`);
    await page.getByText("The form is paused").waitFor();
    await page
      .getByRole("list", { name: "Problems" })
      .getByText(/Line \d+/)
      .first()
      .waitFor();
    await page.getByRole("tab", { name: /General/ }).click();
    expect(await page.getByRole("textbox", { name: "Display name" }).inputValue()).toBe("Greet people");
    await takePictures(page, "task-broken-yaml");
    await yamlOf(page).fill(whole.replace(/^( *)script: \|/m, "$1timeout: soon\n$1script: |"));
    await page
      .getByText(/must be a duration such as/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Save" }).hover();
    await page.getByText(/The definition is not valid/).waitFor();
  }

  /** Also when the form changes something else. */
  async function keepsComments(page: Page, whole: string) {
    const yaml = yamlOf(page);
    await yaml.fill(whole.replace("spec:", "# why it is here\nspec:"));
    await descriptionOf(page).fill("Says hello to everybody");
    await yaml.getByText("Says hello to everybody").waitFor();
    await page.getByRole("note").getByText("Comments are not saved: only the document without them is saved.").waitFor();
    await yaml.getByText("# why it is here").waitFor();
    await page.getByText("Unsaved changes").waitFor();
    await takePictures(page, "task-edit");
  }

  /** With its reason and its changes. */
  async function savesAndRestores(page: Page) {
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => (release = done));
    const comparison = "**/merge-view-*.js";
    await page.route(comparison, (route) => released.then(() => route.continue()));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Change message" }).fill("It says what it does");
    const save = page.getByRole("button", { name: "Save as version 2" });
    const before = await save.boundingBox();
    release();
    await page.getByRole("dialog").getByRole("textbox", { name: "Changes" }).waitFor();
    // A click would be lost if the comparison moved the button.
    expect(await save.boundingBox()).toEqual(before);
    await page.unroute(comparison);
    await takePictures(page, "task-save");
    await save.click();
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
    const restored = await read();
    expect(restored).toMatchObject({ version: 3 });
    expect(restored).not.toHaveProperty("description");
  }

  /** When someone else saved first, you see both and decide. */
  async function savesOverOthers(page: Page) {
    await page.getByRole("tab", { name: "Edit" }).click();
    await descriptionOf(page).fill("Mine");
    await site.call(site.adminToken, "PUT", `${api}/greet`, { ...(await read()), description: "Theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /Save as version/ }).click();
    await page.getByText(/saved version 4 while you were editing/).waitFor();
    await page.getByRole("button", { name: "Overwrite" }).click();
    await page.getByText("Version 5 saved").waitFor();
    expect(await read()).toMatchObject({ description: "Mine", version: 5 });
  }

  /** Changes are not lost by a link without a question. */
  async function leavesUnsaved(page: Page) {
    await descriptionOf(page).fill("Not saved");
    await page.getByRole("link", { name: "Task Manager" }).click();
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect(await descriptionOf(page).inputValue()).toBe("Not saved");
    await narrow(page);
    await takePictures(page, "task-narrow");
    await wide(page);
    await page.getByRole("link", { name: "Task Manager" }).click();
    await page.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
  }

  /** Without a new version; the task is found as archived. */
  async function archives(page: Page) {
    await page.getByRole("link", { name: "Greet people" }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Archive task" }).click();
    await page.getByText("Archived", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ version: 5, status: "inactive" });
    await page.goto(`${site.address}${base}?status=inactive`);
    await page.getByRole("link", { name: "Greet people" }).waitFor();
    await page.getByText("1 task", { exact: true }).waitFor();
    await expectAccessible(page);
    await narrow(page);
    await takePictures(page, "tasks-narrow");
    await wide(page);
  }

  /** A document of the catalogue becomes a task. */
  async function pastes(page: Page) {
    await page.getByRole("button", { name: "Create task" }).first().click();
    await page.getByText("YAML", { exact: true }).click();
    const document =
      "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: pasted\nspec:\n  steps:\n    - name: one\n      script: echo\n";
    await page.getByRole("textbox", { name: "Task document" }).fill(document);
    await page.getByText("Valid").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click();
    await page.getByRole("heading", { level: 1, name: "pasted" }).waitFor();
  }

  test("a task is tried before it is created, with changes that are not saved, and as it is saved; nothing is left behind", async () => {
    const page = await site.openAs("editor", team, `${base}/unborn?new=script`);
    await page.getByRole("tab", { name: "Test" }).click();
    await page.getByText("Runs your draft without creating the task").waitFor();
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

    await make("drafted");
    await page.goto(`${site.address}${base}/drafted`);
    await page.getByRole("tab", { name: "Steps" }).click();
    const field = page.getByRole("textbox", { name: "Script" });
    await field.fill(`#!/bin/sh\n${script.replace("hello", "good morning")}`);
    await page.getByRole("tab", { name: "Test" }).click();
    await page.getByRole("heading", { name: "Run your draft now" }).waitFor();
    await page.getByText("Nothing is saved: version 1 stays the latest.").waitFor();
    await page.getByRole("textbox", { name: "Whom" }).fill("Ada");
    await page.getByRole("button", { name: "Run draft" }).click();
    await page.getByRole("log").getByText("good morning Ada").waitFor();
    const status = page.getByRole("status", { name: "Test status" });
    await status.getByText("Succeeded").waitFor();
    await expectAccessible(page);
    await takePictures(page, "task-try-draft");
    await narrow(page);
    await takePictures(page, "task-try-draft-narrow");
    await wide(page);
    expect(await read("drafted")).toMatchObject({ version: 1, spec: { script: spec.script } });
    await page.getByText("Version 1", { exact: true }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("log").getByText("hello Ada").waitFor();
    await status.getByText("Succeeded").waitFor();
    await page.getByRole("region", { name: "Results" }).getByText("Ada").waitFor();
    await takePictures(page, "task-try");
    const workflows = await site.call(site.adminToken, "GET", `/api/v2/team/${team.name}/workflow/query?limit=10&page=0`);
    expect(workflows).toMatchObject({ totalElements: 0 });
  });

  test("a reader sees the global tasks, what each is, and which versions of a task the workflows use", async () => {
    await make("used");
    const workflow = {
      name: "greeting",
      displayName: "Greeting",
      tasks: [{ name: "one", taskRef: "used", params: [{ name: "who", value: "Ada" }] }],
    };
    await site.call(site.adminToken, "POST", `/api/v2/team/${team.name}/workflow`, workflow);
    await make("used", { description: "Newer" });
    const page = await site.openAs("reader", team, base);
    await page.getByRole("link", { name: "Greet by used" }).waitFor();
    await takePictures(page, "tasks");
    await page.getByText("Global", { exact: true }).click();
    await page.getByRole("link", { name: "Execute Shell" }).waitFor();
    await takePictures(page, "tasks-global");
    await page.getByText("Team", { exact: true }).click();
    await page.getByRole("link", { name: "Greet by used" }).click();
    await page.getByText("You have read-only access to this task").waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Used by" }).click();
    await page.getByRole("link", { name: "Greeting" }).waitFor();
    await page.getByText("latest is 2").waitFor();
  });
});
