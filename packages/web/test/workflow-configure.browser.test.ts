import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { openSite } from "./site.ts";
import { withWorkflow } from "./with-workflow.ts";

describeInBrowser("configuring a workflow", async () => {
  const site = await openSite();

  test("an editor renames, describes and labels it, without a new version", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("general"));
    await page.getByLabel("Name", { exact: true }).fill("Weekly report");
    await page.getByLabel("Description", { exact: true }).fill("On Fridays");
    await takePictures(page, "configure-general");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ displayName: "Weekly report", description: "On Fridays", version: 1, labels: { area: "money" } });
  });

  test("when somebody else was faster, what was typed stays and can be saved on top of his", async () => {
    const { team, at, page: where, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, where("general"));
    await page.getByLabel("Description", { exact: true }).fill("Mine");
    await site.call(site.adminToken, "PUT", at, { name: "report", timeout: 7, tasks: [] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else saved this workflow meanwhile").waitFor();
    await takePictures(page, "configure-conflict");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save mine on top" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ description: "Mine", timeout: 7 });
    await page.getByLabel("Description", { exact: true }).fill("Not saved");
    await page.getByRole("link", { name: "Options" }).click();
    await page.getByRole("button", { name: "Keep it as it is" }).click();
    expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe("Not saved");
    await page.getByRole("link", { name: "Options" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await page.waitForURL(/configure\/options/);
  });

  test("parameters are declared beside the form that they make, as a new version", async () => {
    const { team, page: at, read } = await withWorkflow(site, { params: [{ name: "city", label: "City", type: "text", required: true }] });
    const page = await site.openAs("editor", team, at("parameters"));
    await page.getByRole("button", { name: "Add a parameter" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("size");
    await page.getByLabel("Label", { exact: true }).fill("Size");
    await page.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "One of several" }).click();
    await page.getByLabel("Choices").fill("s = Small\nl = Large");
    await page.getByRole("region", { name: "Preview of the form" }).getByRole("combobox", { name: "Size" }).click();
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
    await page.getByRole("button", { name: "Make a token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("shop");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Make it" }).click();
    const token = await dialog.getByText(/^mrw_/).textContent();
    await takePictures(page, "configure-token");
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("row").filter({ hasText: "shop" }).waitFor();
    expect(await page.content()).not.toContain(token);
    await takePictures(page, "configure-tokens");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke the token" }).click();
    await page.getByText("No tokens").waitFor();
  });

  test("storage and options make a new version; a size beyond the quota is refused in the words of the service", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("workspaces"));
    await page.getByRole("switch", { name: /^For each run/ }).check({ force: true });
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

  test("a reader sees the configuration and why he can't save it", async () => {
    const { team, page: at } = await withWorkflow(site);
    const page = await site.openAs("reader", team, at("general"));
    await page.getByLabel("Description", { exact: true }).fill("Mine");
    expect(await page.getByRole("button", { name: "Save", exact: true }).getAttribute("aria-description")).toContain("workflow/write");
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "configure-narrow");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
