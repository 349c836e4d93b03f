import { expect, test } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";
import { withWorkflow } from "../kit/with-workflow.ts";

describeInBrowser("configuring a workflow", async () => {
  const site = await openSite();

  test("an editor renames, describes and labels it, without a new version", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("general"));
    await page.getByLabel("Name", { exact: true }).fill("Weekly report");
    await page.getByLabel("Description", { exact: true }).fill("On Fridays");
    await page.getByLabel("Deadline").fill("two hours");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^is "two hours"; it must be a duration/).waitFor();
    await page.getByLabel("Deadline").fill("2h");
    await takePictures(page, "configure-general");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ displayName: "Weekly report", description: "On Fridays", version: 1, labels: { area: "money" } });
    expect(await read()).toMatchObject({ annotations: { "millrace.dev/deadline": "2h" } });
  });

  test("when someone else was faster, what was typed stays, is saved with theirs, and is asked about only where both changed the same", async () => {
    const { team, at, page: where, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, where("general"));
    await page.getByLabel("Description", { exact: true }).fill("Mine");
    await site.call(site.adminToken, "PUT", at, { name: "report", timeout: 7, tasks: [] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read(), "changes elsewhere are kept without a question").toMatchObject({ description: "Mine", timeout: 7 });
    await page.getByLabel("Description", { exact: true }).fill("Mine again");
    await site.call(site.adminToken, "PUT", at, { name: "report", timeout: 8, description: "Theirs", tasks: [] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Someone else saved this workflow" });
    await dialog.getByText("You both changed description").waitFor();
    expect(await dialog.getByRole("button", { name: "Keep editing" }).evaluate((button) => button === document.activeElement)).toBe(true);
    await takePictures(page, "configure-conflict");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Overwrite with mine" }).click();
    await until(async () => (await read())["description"] === "Mine again", "it is saved");
    expect(await read()).toMatchObject({ description: "Mine again", timeout: 8 });
    await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "detached" });
  });

  test("all sections and the drawing are one draft: it stays on the pages of the workflow, each part is saved alone or all at once", async () => {
    const tasks = [{ name: "greet", taskRef: "execute-shell", params: [{ name: "script", value: "echo hello" }] }];
    const { team, page: at, read } = await withWorkflow(site, { tasks });
    const page = await site.openAs("editor", team, at("general"));
    const sections = page.getByRole("navigation", { name: "Sections of the configuration" });
    await page.getByLabel("Description", { exact: true }).fill("Typed");
    await sections.getByRole("link", { name: "Options" }).click();
    await page.getByText("Other sections of this workflow have unsaved changes.").waitFor();
    await page.getByLabel("Retries").fill("4");
    await sections.getByRole("link", { name: "Parameters" }).click();
    await page.getByRole("button", { name: "Add parameter" }).click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("region");
    await expectAccessible(page);
    // Changes a task in the graph, then saves a single section.
    await page.getByRole("link", { name: "Design" }).click();
    await page.locator(".react-flow__node").filter({ hasText: "greet" }).click();
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Timeout (minutes)").fill("7");
    await page.getByRole("link", { name: "Configure" }).click();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Typed");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ description: "Typed", version: 1, params: [] });
    await page.getByText("Unsaved changes", { exact: true }).waitFor();
    await sections.getByRole("link", { name: "Options" }).click();
    expect(await page.getByLabel("Retries").inputValue()).toBe("4");
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await page.getByLabel("Retries").inputValue()).toBe("0");
    await page.getByLabel("Retries").fill("2");
    // The remaining changes are saved with the graph.
    await page.getByRole("link", { name: "Design" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor();
    await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "detached" });
    expect(await read()).toMatchObject({
      ...{ description: "Typed", retries: 2, params: [{ name: "region" }] },
      tasks: expect.arrayContaining([expect.objectContaining({ name: "greet", timeout: 7 })]),
    });
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("what is typed is asked about before one leaves the workflow, or closes the page", async () => {
    const { team, page: at } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("general"));
    await page.getByLabel("Description", { exact: true }).fill("Not saved");
    await page.getByRole("link", { name: "Activity" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Not saved");
    const asked = page.waitForEvent("dialog");
    void page.reload().catch(() => undefined);
    const question = await asked;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Not saved");
  });

  test("parameters are declared beside the form that they make, as a new version", async () => {
    const { team, page: at, read } = await withWorkflow(site, { params: [{ name: "city", label: "City", type: "text", required: true }] });
    const page = await site.openAs("editor", team, at("parameters"));
    await page.getByRole("button", { name: "Add parameter" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("size");
    await page.getByLabel("Label", { exact: true }).fill("Size");
    await page.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Single choice" }).click();
    await page.getByLabel("Choices").fill("s = Small\nl = Large");
    await page.getByRole("region", { name: "Form preview" }).getByRole("combobox", { name: "Size" }).click();
    await page.getByRole("option", { name: "Large" }).click();
    await takePictures(page, "configure-parameters");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Move size up" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor();
    const { params } = await read();
    expect(params).toMatchObject([
      {
        name: "size",
        label: "Size",
        type: "select",
        options: [
          { key: "s", value: "Small" },
          { key: "l", value: "Large" },
        ],
      },
      { name: "city", required: true },
    ]);
  });

  test("a token of the workflow is shown once and revoked", async () => {
    const { team, page: at } = await withWorkflow(site);
    const page = await site.openAs("owner", team, at("tokens"));
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("shop");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create token" }).click();
    const token = await dialog.getByText(/^mrw_/).textContent();
    await takePictures(page, "configure-token");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: "shop" }).waitFor();
    expect(await page.content()).not.toContain(token);
    await takePictures(page, "configure-tokens");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("No tokens").waitFor();
  });

  test("storage and options make a new version; a size beyond the quota is refused in the words of the service", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("workspaces"));
    await page.getByRole("switch", { name: /^One per run/ }).check({ force: true });
    await page.getByLabel("Size").fill("900Gi");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText(/Gi/).first().waitFor();
    await takePictures(page, "configure-workspaces");
    await expectAccessible(page);
    await page.getByLabel("Size").fill("1Gi");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor();
    await page.getByRole("link", { name: "Options" }).click();
    await page.getByLabel("Retries").fill("3");
    await takePictures(page, "configure-options");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 3.").waitFor();
    expect(await read()).toMatchObject({ retries: 3, workspaces: [{ type: "workflowrun" }] });
    await page.getByRole("link", { name: "Change log" }).click();
    await page.getByRole("row").nth(3).waitFor();
    await takePictures(page, "configure-changelog");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Schedules", exact: true }).last().click();
    await page.getByText("No schedules").waitFor();
    await takePictures(page, "configure-schedules");
    await expectAccessible(page);
  });

  test("a reader sees the configuration and why saving is not allowed", async () => {
    const { team, page: at } = await withWorkflow(site);
    const page = await site.openAs("reader", team, at("general"));
    await page.getByLabel("Description", { exact: true }).fill("Mine");
    expect(await page.getByRole("button", { name: "Save", exact: true }).getAttribute("aria-description")).toContain("workflow/write");
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "configure-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
