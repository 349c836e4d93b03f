import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { expectGone } from "../kit/expect-gone.ts";
import { openSite } from "../kit/site.ts";
import { withWorkflow } from "../kit/with-workflow.ts";

describeInBrowser("configuring a workflow", async () => {
  const site = await openSite();

  test("all sections and the drawing are one draft: it stays on the pages of the workflow, is saved in parts or at once, and isn't lost", async () => {
    const tasks = [{ name: "greet", taskRef: "execute-shell", params: [{ name: "script", value: "echo hello" }] }];
    const { team, page: at, read } = await withWorkflow(site, { tasks });
    const page = await site.openAs("editor", team, at("general"));
    const sections = page.getByRole("navigation", { name: "Sections of the configuration" });
    await page.getByLabel("Description", { exact: true }).fill("Typed");
    const asked = page.waitForEvent("dialog");
    void page.reload().catch(() => undefined);
    const question = await asked;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Typed");
    await sections.getByRole("link", { name: "Options" }).click();
    await page.getByText("Other sections of this workflow have unsaved changes.").waitFor();
    await page.getByLabel("Retries").fill("4");
    await sections.getByRole("link", { name: "Parameters" }).click();
    await page.getByRole("button", { name: "Add parameter" }).click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("region");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 2.").waitFor();
    // Changes a task in the graph, then saves a single section.
    await page.getByRole("link", { name: "Design" }).click();
    await page.locator(".react-flow__node").filter({ hasText: "greet" }).click();
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Timeout (minutes)").fill("7");
    await page.getByRole("link", { name: "Configure" }).click();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Typed");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ description: "Typed", version: 2, params: [{ name: "region" }] });
    await page.getByText("Unsaved changes", { exact: true }).waitFor();
    await sections.getByRole("link", { name: "Options" }).click();
    expect(await page.getByLabel("Retries").inputValue()).toBe("4");
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await page.getByLabel("Retries").inputValue()).toBe("0");
    await page.getByLabel("Retries").fill("2");
    // The remaining changes are saved with the graph.
    await page.getByRole("link", { name: "Design" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 3.").waitFor();
    await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "detached" });
    expect(await read()).toMatchObject({
      ...{ description: "Typed", retries: 2, params: [{ name: "region" }] },
      tasks: expect.arrayContaining([expect.objectContaining({ name: "greet", timeout: 7 })]),
    });
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("an owner edits all sections: an invalid duration and size show the service's error, and a token is shown once", async () => {
    const params = [{ name: "city", label: "City", type: "text", required: true }];
    const { team, page: at, read } = await withWorkflow(site, { params });
    const page = await site.openAs("owner", team, at("general"));
    const sections = page.getByRole("navigation", { name: "Sections of the configuration" });
    const go = (name: string) => sections.getByRole("link", { name, exact: true }).click();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page.getByLabel("Deadline").fill("two hours");
    await save.click();
    await page.getByText(/^is "two hours"; it must be a duration/).waitFor();
    await page.getByLabel("Deadline").fill("2h");
    await takePictures(page, "configure-general");
    await expectAccessible(page);
    await save.click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ version: 1, labels: { area: "money" }, annotations: { "millrace.dev/deadline": "2h" } });

    await go("Parameters");
    await page.getByRole("region", { name: "Form preview" }).getByLabel("City").waitFor();
    await takePictures(page, "configure-parameters");
    await expectAccessible(page);

    await go("Workspaces");
    await page.getByRole("switch", { name: /^One per run/ }).check({ force: true });
    await page.getByRole("textbox", { name: "Size" }).fill("900Gi");
    await save.click();
    await page.getByRole("alert").getByText(/Gi/).first().waitFor();
    await takePictures(page, "configure-workspaces");
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "Size" }).fill("1Gi");
    await save.click();
    await page.getByText("Saved as version 2.").waitFor();
    await go("Options");
    await page.getByLabel("Retries").fill("3");
    await takePictures(page, "configure-options");
    await expectAccessible(page);
    await save.click();
    await page.getByText("Saved as version 3.").waitFor();
    expect(await read()).toMatchObject({ retries: 3, workspaces: [{ type: "workflowrun" }] });
    await go("Change log");
    await page.getByRole("row").nth(3).waitFor();
    await takePictures(page, "configure-changelog");
    await expectAccessible(page);
    await go("Schedules");
    await page.getByText("No schedules").waitFor();
    await takePictures(page, "configure-schedules");
    await expectAccessible(page);

    await go("Tokens");
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("shop");
    await dialog.getByRole("button", { name: "Create token" }).click();
    const token = await dialog.getByText(/^mrw_/).textContent();
    await takePictures(page, "configure-token");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: "shop" }).waitFor();
    await expectGone(page, token);
    await takePictures(page, "configure-tokens");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("No tokens").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "configure-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
