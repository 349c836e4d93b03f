import type { Page } from "playwright-core";
import { expect, test } from "vitest";
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

  test("an editor sees how each does, finds one by its name, and the address keeps what is looked for", async () => {
    const team = await busyTeam(site);
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
  });

  test("a workflow is run from its form: what is missing stands at the field, what was typed stays, and the run opens", async () => {
    const team = await busyTeam(site);
    const page = await site.openAs("editor", team, `/${team.name}/workflows`);
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
    await expectAccessible(page);
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

  test("an owner duplicates, deactivates and, after typing its name, deletes one", async () => {
    const team = await busyTeam(site);
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
    await choose("Nightly report", "Deactivate");
    await line(page, "Nightly report").getByText("Inactive").waitFor();
    await choose("Old import", "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete Old import" });
    await dialog.getByLabel("Type old-import to confirm").fill("old-import");
    await takePictures(page, "workflow-delete");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Delete workflow" }).click();
    await page.getByText("3 workflows", { exact: true }).waitFor();
    expect(await site.call(site.adminToken, "GET", `/api/v2/team/${team.name}/workflow/nightly-report`)).toMatchObject({
      status: "inactive",
      version: 1,
      params: expect.arrayContaining([expect.objectContaining({ name: "city" })]),
    });
  });

  test("a reader sees why running, changing and creating are not allowed", async () => {
    const team = await busyTeam(site);
    const page = await site.openAs("reader", team, `/${team.name}/workflows`);
    await line(page, "Nightly report").waitFor();
    const create = page.getByRole("button", { name: "Create workflow" });
    expect(await create.getAttribute("aria-disabled")).toBe("true");
    await create.hover();
    await page.getByRole("tooltip").getByText("workflow/write").waitFor();
    expect(await page.getByRole("button", { name: "Run Release" }).getAttribute("aria-description")).toContain("workflow/action");
    await page.getByRole("button", { name: "More actions for Release" }).click();
    expect(await page.getByRole("menuitem", { name: "Delete" }).getAttribute("aria-description")).toContain("workflow/delete");
    await takePictures(page, "workflows-menu");
    await expectAccessible(page);
  });

  test("a team without workflows is told how to begin", async () => {
    const team = await site.make.team();
    const page = await site.openAs("owner", team, `/${team.name}/workflows`);
    await page.getByRole("link", { name: "Start from a template" }).waitFor();
    await takePictures(page, "workflows-empty");
    await expectAccessible(page);
  });

  test("the list is sorted over all pages by the service, and the address keeps the order", async () => {
    const team = await site.make.team();
    const at = `/api/v2/team/${team.name}`;
    await site.call(site.adminToken, "PATCH", at, { quotas: { maxWorkflowCount: 100 } });
    const make = (number: number) =>
      site.call(site.adminToken, "POST", `${at}/workflow`, { name: `flow-${number}`, displayName: `Flow ${number}`, tasks: [] });
    await Promise.all(Array.from({ length: 55 }, (_, index) => make(10 + index)));
    // Only the first one by name has run.
    await site.call(site.adminToken, "POST", `${at}/workflow/flow-10/submit?start=true`, {});
    const page = await site.openAs("reader", team, `/${team.name}/workflows`);
    const first = page.getByRole("region", { name: "Workflows" }).getByRole("row").nth(1);
    await first.getByRole("link", { name: "Flow 10", exact: true }).waitFor();
    await page.getByText("1–50 of 55").waitFor();
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await first.getByRole("link", { name: "Flow 64" }).waitFor();
    expect(page.url()).toContain("sort=name");
    await page.reload();
    await first.getByRole("link", { name: "Flow 64" }).waitFor();
    await takePictures(page, "workflows-sorted");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Page 2" }).click();
    await first.getByRole("link", { name: "Flow 14" }).waitFor();
    await page.getByRole("button", { name: "Success" }).click();
    await first.getByRole("link", { name: "Flow 10", exact: true }).waitFor();
    expect(page.url()).not.toContain("page=");
  }, 120_000);

  test("the list keeps within a narrow screen", async () => {
    const team = await busyTeam(site);
    const page = await site.openAs("editor", team, `/${team.name}/workflows`);
    await page.setViewportSize({ width: 360, height: 740 });
    await line(page, "Release").waitFor();
    await takePictures(page, "workflows-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
