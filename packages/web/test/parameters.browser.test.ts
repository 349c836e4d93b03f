import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

interface TeamWithParameters {
  parameters: { name: string; value?: unknown; hiddenValue?: boolean }[];
}

describeInBrowser("parameters of a team", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const owner = await site.make.member(team.id, "owner");
  const read = async () => (await site.call<TeamWithParameters>(owner.token, "GET", `/api/v2/team/${team.name}`)).parameters;

  const choose = async (page: Page, type: string) => {
    await page.getByRole("dialog").getByLabel("Type").first().click();
    await page.getByRole("option", { name: type, exact: true }).click();
  };
  const everything = "document.documentElement.outerHTML + [...document.querySelectorAll('input')].map((one) => one.value).join()";

  /** What is sent of each type, what is refused and what each role may do is in the tests of the components. */
  test("secrets are written and never seen again in the page, an edit that leaves them empty keeps them, and one is deleted", async () => {
    const page = await site.open(`/${team.name}/parameters`, owner.token);
    await page.getByText("No parameters yet").waitFor();
    await keepsSecret(page);
    await keepsKeys(page);
    await addsAndDeletes(page);
  });

  async function keepsSecret(page: Page) {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add parameter" }).click();
    await dialog.getByLabel("Name").fill("deploy-key");
    await choose(page, "Secret");
    await dialog.locator('input[type="password"]').fill("correct horse");
    await takePictures(page, "parameters-secret");
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await page.getByText("Hidden").waitFor();
    await page.getByRole("button", { name: "Edit deploy-key" }).click();
    await dialog.getByLabel("Description").fill("Of the website");
    await dialog.getByText("A value is stored").waitFor();
    expect(await page.evaluate(everything)).not.toContain("correct horse");
    await dialog.getByRole("button", { name: "Save parameter" }).click();
    await page.getByText("Of the website").waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toEqual([expect.objectContaining({ name: "deploy-key", value: "", hiddenValue: true })]);
  }

  /** Values are entered one by one, and kept when they are left empty. */
  async function keepsKeys(page: Page) {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add parameter" }).click();
    await dialog.getByLabel("Name").fill("registry");
    await choose(page, "Secret with keys");
    await dialog.getByRole("textbox", { name: "Key", exact: true }).fill("user");
    await dialog.getByLabel("Value of user").fill("someone");
    await dialog.getByRole("button", { name: "Add key" }).click();
    await dialog.getByRole("textbox", { name: "Key", exact: true }).last().fill("password");
    await dialog.getByLabel("Value of password").fill("correct horse");
    await expectAccessible(page);
    await takePictures(page, "parameters-secret-keys");
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit registry" }).click();
    await dialog.getByRole("button", { name: "Remove key user" }).click();
    await dialog.getByRole("button", { name: "Save parameter" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toContainEqual(expect.objectContaining({ name: "registry", value: { password: "" }, hiddenValue: true }));
    expect(await page.evaluate(everything)).not.toContain("correct horse");
  }

  async function addsAndDeletes(page: Page) {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add parameter" }).click();
    await dialog.getByLabel("Name").fill("retries");
    await choose(page, "Number");
    await dialog.getByLabel("Value").fill("3");
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toContainEqual(expect.objectContaining({ name: "retries", value: 3 }));
    await expectAccessible(page);
    await takePictures(page, "parameters");
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "parameters-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Delete retries" }).click();
    await page.getByRole("button", { name: "Delete parameter" }).click();
    await page.getByRole("button", { name: "Delete retries" }).waitFor({ state: "detached" });
    expect((await read()).map(({ name }) => name)).not.toContain("retries");
  }
});
