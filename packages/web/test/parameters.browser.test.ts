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

  test("a secret is written and never seen again in the page; an edit that leaves it empty keeps it", async () => {
    const page = await site.open(`/${team.name}/parameters`, owner.token);
    await page.getByText("No parameters yet").waitFor();
    await page.getByRole("button", { name: "Add parameter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("deploy-key");
    await dialog.getByLabel("Type").first().click();
    await page.getByRole("option", { name: "Secret", exact: true }).click();
    await dialog.locator('input[type="password"]').fill("correct horse");
    await expectAccessible(page);
    await takePictures(page, "parameters-secret");
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await page.getByText("Hidden").waitFor();
    await page.getByRole("button", { name: "Edit deploy-key" }).click();
    await dialog.getByLabel("Description").fill("Of the website");
    await dialog.getByText("A value is stored").waitFor();
    expect(
      await page.evaluate("document.documentElement.outerHTML + [...document.querySelectorAll('input')].map((one) => one.value).join()"),
    ).not.toContain("correct horse");
    await dialog.getByRole("button", { name: "Save parameter" }).click();
    await page.getByText("Of the website").waitFor();
    expect(await read()).toEqual([expect.objectContaining({ name: "deploy-key", value: "", hiddenValue: true })]);
  });

  test("a secret has keys, whose values are entered one by one and kept when they are left empty", async () => {
    const page = await site.open(`/${team.name}/parameters`, owner.token);
    await page.getByRole("button", { name: "Add parameter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("registry");
    await dialog.getByLabel("Type").first().click();
    await page.getByRole("option", { name: "Secret with keys" }).click();
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
    expect(await page.content()).not.toContain("correct horse");
  });

  test("values keep their types, a refusal stands in the dialog, and a parameter is deleted", async () => {
    await site.call(owner.token, "PATCH", `/api/v2/team/${team.name}`, {
      parameters: [
        { name: "region", type: "text", value: "eu-west-1", description: "Where it runs" },
        { name: "limits", type: "json", value: { cpu: 2, memory: "512Mi" } },
      ],
    });
    const page = await site.open(`/${team.name}/parameters`, owner.token);
    await page.getByRole("button", { name: "Add parameter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("retries");
    await dialog.getByLabel("Type").first().click();
    await page.getByRole("option", { name: "Number" }).click();
    await dialog.getByLabel("Value").fill("3");
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toContainEqual(expect.objectContaining({ name: "retries", value: 3 }));
    await expectAccessible(page);
    await takePictures(page, "parameters");
    await page.getByRole("button", { name: "Delete retries" }).click();
    await page.getByRole("button", { name: "Delete parameter" }).click();
    await page.getByRole("button", { name: "Delete retries" }).waitFor({ state: "detached" });
    expect((await read()).map(({ name }) => name)).not.toContain("retries");
  });

  test("an editor changes but does not delete; a reader does neither, and both are told why", async () => {
    const editor = await site.openAs("editor", team, `/${team.name}/parameters`);
    expect(await editor.getByRole("button", { name: "Delete region" }).getAttribute("aria-description")).toContain("team/delete");
    await editor.getByRole("button", { name: "Edit region" }).click();
    await editor.getByRole("dialog").waitFor();
    const reader = await site.openAs("reader", team, `/${team.name}/parameters`);
    expect(await reader.getByRole("button", { name: "Edit region" }).getAttribute("aria-description")).toContain("team/write");
    await reader.setViewportSize({ width: 360, height: 740 });
    await takePictures(reader, "parameters-narrow");
    await expect.poll(() => reader.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await expectAccessible(reader);
  });
});
