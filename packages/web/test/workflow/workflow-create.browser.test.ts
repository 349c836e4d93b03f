import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("creating a workflow", async () => {
  const site = await openSite();

  test("from a template, with a preview of its graph", async () => {
    const team = await site.make.team();
    const page = await site.openAs("editor", team, `/${team.name}/workflows/create?from=template`);
    await page.getByRole("button", { name: /Approve, then run|approve/i }).click();
    await page.getByRole("region", { name: /^Graph of/ }).waitFor();
    await takePictures(page, "workflow-create-template");
    await expectAccessible(page);
    await page.getByLabel("Name of the new workflow").fill("Approve my release");
    await page.getByRole("button", { name: "Use template" }).click();
    await page.waitForURL(/approve-my-release\/design/);
    expect(await site.call(site.adminToken, "GET", `/api/v2/team/${team.name}/workflow/approve-my-release`)).toMatchObject({ version: 1 });
  });

  test("from pasted YAML or a Tekton pipeline: faults and refusals stand at their lines, and what has no effect is listed", async () => {
    const team = await site.make.team();
    const page = await site.openAs("editor", team, `/${team.name}/workflows/create?from=paste`);
    const editor = page.getByRole("textbox", { name: "Workflow as YAML or JSON" });
    await editor.fill("name: pasted\ntasks: [");
    await page.getByRole("button", { name: "Create and open designer" }).click();
    await page.getByRole("alert").getByText("Line 2:").waitFor();
    await editor.fill("name: pasted\ntasks:\n  - name: one\n    taskRef: nowhere\n");
    await page.getByRole("button", { name: "Create and open designer" }).click();
    await page
      .getByRole("alert")
      .getByText(/nowhere/)
      .first()
      .waitFor();
    await takePictures(page, "workflow-create-paste");
    await expectAccessible(page);
    await editor.fill("name: pasted\ntasks: []\n");
    await page.getByRole("button", { name: "Create and open designer" }).click();
    await page.waitForURL(/pasted\/design/);
    await page.goto(`${site.address}/${team.name}/workflows/create?from=paste`);
    const pipeline = (metadata: string, more: string) =>
      `apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: ${metadata}\nspec: { tasks: [{ name: a, taskRef: { name: sleep }${more} }] }\n`;
    await editor.fill(pipeline("{ name: ship }", ", onError: ignore"));
    await page.getByRole("button", { name: "Create and open designer" }).click();
    await page
      .getByRole("alert")
      .getByText(/must be continue or stopAndFail/)
      .first()
      .waitFor();
    await editor.fill(pipeline("{ name: ship, namespace: ci }", ", timeout: 90s, params: [{ name: duration, value: '5' }]"));
    await page.getByRole("button", { name: "Create and open designer" }).click();
    await page.waitForURL(/ship\/design/);
    await page.getByText("2 notes about your Tekton pipeline").waitFor();
    await page.getByText(/namespace is not kept/).waitFor();
    await expectAccessible(page);
  });
});
