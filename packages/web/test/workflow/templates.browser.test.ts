import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("templates", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const path = "/admin/template-workflows";
  const api = "/api/v2/workflowtemplate";
  const tasks = [{ name: "rest", taskRef: "sleep", params: [{ name: "duration", value: "1" }] }];

  test("a template is looked at and used in a team", async () => {
    const page = await site.openAs("editor", team, path);
    await page.getByRole("link", { name: "For each item" }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "templates");
    await page.getByRole("link", { name: "Approve, then run" }).click();
    await page.getByRole("img", { name: /^\d+ tasks: start, ask/ }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "template");
    await page.getByRole("button", { name: "Use in a team" }).click();
    await page.getByRole("menuitem").first().click();
    await page.waitForURL(`**/${team.name}/workflows/create?*template=approve-then-run`);
    await page.getByRole("heading", { level: 2, name: "Approve, then run" }).waitFor();
  });

  test("who may not write templates sees why, and can read them", async () => {
    const page = await site.openAs("owner", team, path);
    expect(await page.getByRole("button", { name: "Create template" }).getAttribute("aria-description")).toContain(
      "workflowtemplate/write",
    );
    await page.goto(`${site.address}${path}/for-each-item?view=yaml`);
    const save = page.getByRole("button", { name: "Save as new version" });
    expect(await save.getAttribute("aria-description")).toContain("workflowtemplate/write");
    await expectAccessible(page);
  });

  test("an administrator makes one of a text, sees a refusal at its line, saves a version and restores the first", async () => {
    const page = await site.open(path, site.adminToken);
    await page.getByRole("button", { name: "Create template" }).click();
    await page.getByText("YAML or JSON").click();
    const text = page.getByRole("textbox", { name: "Template as YAML" });
    const document =
      'name: wait-a-bit\ndescription: Waits\ntasks:\n  - name: rest\n    taskRef: sleeep\n    params:\n      - name: duration\n        value: "1"\n';
    await text.fill(document);
    await page.getByRole("dialog").getByRole("button", { name: "Create template" }).click();
    const fault = page.getByRole("list", { name: "Problems" }).getByRole("listitem");
    await fault.getByText("Line 5").waitFor();
    await fault.getByText(/there is no such global task/).waitFor();
    await expectAccessible(page);
    await takePictures(page, "template-create");
    await text.fill(document.replace("sleeep", "sleep"));
    await page.getByRole("dialog").getByRole("button", { name: "Create template" }).click();
    await page.getByRole("heading", { level: 1, name: "wait-a-bit" }).waitFor();

    await page.getByRole("tab", { name: "YAML" }).click();
    await text.fill("name: wait-a-bit\ndescription: Waits longer\ntasks: []\n");
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("textbox", { name: "Change message" }).fill("Nothing to wait for");
    await page.getByRole("button", { name: "Save as new version" }).click();
    await page.getByText("version 2", { exact: false }).first().waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("Nothing to wait for").waitFor();
    await page.getByText("Version 2 compared with version 1").waitFor();
    await expectAccessible(page);
    await takePictures(page, "template-versions");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Save as version 3" }).click();
    await page.getByText("Restores version 1").waitFor();
    const { tasks: restored } = await site.call<{ tasks: { name: string }[] }>(site.adminToken, "GET", `${api}/wait-a-bit`);
    expect(restored.map(({ name }) => name)).toContain("rest");
  });

  test("a workflow becomes a template, and a template is deleted by typing its name", async () => {
    await site.call(site.adminToken, "POST", `/api/v2/team/${team.name}/workflow`, { name: "source", tasks });
    const { id, email } = await site.make.user({ type: "admin" });
    await site.call(site.adminToken, "PATCH", `/api/v2/team/${team.name}`, { members: [{ email, role: "owner" }] });
    const page = await site.open(path, await site.make.userToken(id));
    await page.getByRole("button", { name: "Create template" }).click();
    await page.getByLabel("Workflow", { exact: true }).first().click();
    await page.getByRole("option", { name: "source" }).click();
    await page.getByRole("textbox", { name: "Name of the template" }).fill("made-of-source");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("textbox", { name: "Template as YAML" }).getByText("made-of-source").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Create template" }).click();
    await page.getByRole("heading", { level: 1, name: "source" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("textbox", { name: "Type made-of-source to confirm" }).fill("made-of-source");
    await page.getByRole("button", { name: "Delete template" }).click();
    await page.getByRole("heading", { level: 1, name: "Templates" }).waitFor();
    await page.getByRole("link", { name: "made-of-source" }).waitFor({ state: "detached" });
  });

  test("templates are read on a narrow screen", async () => {
    const page = await site.openAs("editor", team, `${path}/approve-then-run`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("img", { name: /^\d+ tasks: start, ask/ }).waitFor();
    await takePictures(page, "template-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
