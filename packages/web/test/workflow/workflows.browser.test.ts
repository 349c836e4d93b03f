import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite, type Site } from "../kit/site.ts";

/** A team with a workflow that has parameters, one that failed, and one that can't be run. */
async function busyTeam(site: Site) {
  const team = await site.make.team();
  const at = `/api/v2/team/${team.name}/workflow`;
  const make = (body: object) => site.call(site.adminToken, "POST", at, body);
  await make({
    name: "nightly-report",
    displayName: "Nightly report",
    description: "Gathers what happened in the day",
    icon: "chart",
    labels: { area: "reporting" },
    triggers: { schedule: { enabled: true }, webhook: { enabled: true } },
    params: [
      { name: "city", label: "City", type: "text", required: true, helpertext: "Where it is about" },
      { name: "count", label: "Count", type: "number", default: 5 },
      {
        name: "format",
        label: "Format",
        type: "select",
        options: [
          { key: "pdf", value: "PDF" },
          { key: "csv", value: "Table" },
        ],
      },
      { name: "mail", label: "Send by mail", type: "boolean", default: true },
      { name: "secret", label: "Password", type: "password" },
    ],
    tasks: [],
  });
  await make({
    name: "release",
    displayName: "Release",
    icon: "rocket",
    labels: { area: "delivery", stage: "live" },
    tasks: [{ name: "fails", taskRef: "set-workflow-result-status", params: [{ name: "status", value: "failed" }] }],
  });
  await make({ name: "old-import", displayName: "Old import", tasks: [] });
  await site.call(site.adminToken, "PUT", at, { name: "old-import", status: "inactive" });
  const run = (name: string, body: object) => site.call(site.adminToken, "POST", `${at}/${name}/submit?start=true`, body);
  for (let times = 0; times < 4; times++) await run("nightly-report", { params: [{ name: "city", value: "Oslo" }] });
  for (let times = 0; times < 2; times++) await run("release", {});
  return team;
}

const line = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

describeInBrowser("the workflows of a team", async () => {
  const site = await openSite();

  let team: Awaited<ReturnType<typeof busyTeam>>;
  beforeAll(async () => {
    team = await busyTeam(site);
  });

  test("an editor sees how each workflow performs and finds one by its name, and the address keeps the search", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/workflows`);
    await line(page, "Nightly report").getByText("4 of 4", { exact: true }).waitFor();
    expect(await page.getByRole("list", { name: "Last runs of Nightly report" }).getByRole("link").count()).toBe(4);
    await page.getByText("3 of 1,000 workflows").waitFor();
    await takePictures(page, "workflows-table");
    await expectAccessible(page);
    await page.getByLabel("Search workflows").fill("release");
    await page.getByText("1 workflow", { exact: true }).waitFor();
    await page.reload();
    await line(page, "Release").waitFor();
    expect(await line(page, "Nightly report").count()).toBe(0);
    await page.getByLabel("Search workflows").fill("");
    await page.getByRole("combobox", { name: "Group by" }).click();
    await page.getByRole("option", { name: "By area" }).click();
    await page.getByRole("button", { name: "delivery 1 workflow" }).click();
    await line(page, "Release").waitFor();
    expect(await page.getByRole("button", { expanded: false }).allTextContents()).toContain("No area1 workflow");
    await takePictures(page, "workflows-grouped");
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Group by" }).click();
    await page.getByRole("option", { name: "Not grouped" }).click();
    await page.getByText("Cards").click();
    await page.getByText("Gathers what happened in the day").waitFor();
    await takePictures(page, "workflows-cards");
    await expectAccessible(page);
    await page.getByText("Table", { exact: true }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await line(page, "Release").waitFor();
    await takePictures(page, "workflows-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("an owner duplicates one, deletes another, and runs one from its form, as its command does without the secret", async () => {
    const page = await site.openAs("owner", team, `/${team.name}/workflows`);
    const choose = async (name: string, action: string) => {
      await page
        .getByRole("button", { name: `More actions for ${name}` })
        .first()
        .click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Release", "Duplicate");
    await page.getByText("4 workflows", { exact: true }).waitFor();
    await choose("Old import", "Delete");
    const question = page.getByRole("dialog", { name: "Delete Old import" });
    await question.getByLabel("Type old-import to confirm").fill("old-import");
    await takePictures(page, "workflow-delete");
    await question.getByRole("button", { name: "Delete workflow" }).click();
    await page.getByText("3 workflows", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run Nightly report" }).click();
    const dialog = page.getByRole("dialog", { name: "Run Nightly report" });
    await dialog.getByLabel("Password", { exact: true }).fill("open sesame");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByText("Enter a value.").waitFor();
    await dialog.getByLabel("City").fill("Bergen's");
    await dialog.getByText("Show cURL command").click();
    const command = await dialog.getByText("curl -sS").textContent();
    expect(command).toContain(`Bergen'\\''s`);
    expect(command).not.toContain("open sesame");
    await takePictures(page, "workflow-run-dialog");
    await dialog.getByText("Start immediately").click();
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/activity\/[0-9a-f-]{36}/);
    const run = await site.call<{ params: object[]; trigger: string }>(
      site.adminToken,
      "GET",
      `/api/v2/team/${team.name}/workflowrun/${page.url().split("/").at(-1)}`,
    );
    expect(run).toMatchObject({ trigger: "manual", params: expect.arrayContaining([{ name: "city", value: "Bergen's" }]) });
  });
});
