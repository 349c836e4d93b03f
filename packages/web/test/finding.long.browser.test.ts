import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { fillDatabase } from "../../server/test/kit/data/fill-database.ts";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

const farAway = "2099-01-01T00:00:00.000Z";

describeInBrowser("objects are found on any page", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "long-lists" });
  const base = `/api/v2/team/${team.name}`;
  const make = (path: string, body: object) => site.call(site.adminToken, "POST", path, body);

  beforeAll(async () => {
    await fillDatabase(site.sql, [team.id], { workflows: 320, runs: 0, tasks: 320, actions: 0, others: 150 });
    await site.sql`update workflow set display_name = 'Yield 50% of ' || name, created_at = created_at - interval '1 year' where name in ('workflow-7', 'workflow-8')`;
    await make(`${base}/task`, {
      name: "weigh-eggs",
      displayName: "Weigh eggs",
      category: "Kitchen",
      description: "On the big scales",
      spec: { script: "x" },
    });
    for (const name of ["morning", "evening"])
      await make(`${base}/schedule`, {
        name: `Every ${name}`,
        workflowRef: "workflow-7",
        type: "runOnce",
        dateSchedule: farAway,
        timezone: "UTC",
      });
    await make("/api/v2/workflowtemplate", { name: "bake-bread", displayName: "Bake bread", tasks: [] });
  }, 120_000);

  const count = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

  test("a reader finds a workflow beyond the first page; the address keeps the search, and nothing found is said", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/workflows`);
    await count(page, "320 workflows");
    expect(await page.getByRole("link", { name: "Yield 50% of workflow-7", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Page 7" }).click();
    await page.getByRole("link", { name: "Yield 50% of workflow-7", exact: true }).waitFor();
    const field = page.getByLabel("Search workflows");
    await page.keyboard.press("/");
    expect(await field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await field.fill("50% workflow");
    await count(page, "2 workflows");
    await page.waitForURL(/q=50%25/);
    await page.reload();
    await count(page, "2 workflows");
    expect(await field.inputValue()).toBe("50% workflow");
    await takePictures(page, "workflows-found");
    await field.fill("no such thing_");
    await page.getByText("No results for “no such thing_” with these filters.").waitFor();
    await takePictures(page, "workflows-nothing-found");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Show all workflows" }).click();
    await count(page, "320 workflows");
    expect(await field.inputValue()).toBe("");
  }, 120_000);

  test("tasks, schedules and templates are searched by the service, together with the filters", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/task-manager`);
    await count(page, "321 tasks");
    await page.getByLabel("Search tasks").fill("big scales");
    await count(page, "1 task");
    await page.getByRole("link", { name: "Weigh eggs" }).waitFor();
    await page
      .getByRole("combobox", { name: "Category" })
      .or(page.getByRole("textbox", { name: "Category" }))
      .click();
    await page.getByRole("option", { name: "Kitchen" }).click();
    await page.waitForURL(/category=Kitchen/);
    await page.getByLabel("Search tasks").fill("task-");
    await page.getByText("No results for “task-”").waitFor();
    await expectAccessible(page);
    await page.goto(`${site.address}/${team.name}/schedules`);
    await page.getByText("Every evening").first().waitFor();
    await page.getByLabel("Search schedules").fill("EVENING");
    await expect.poll(() => page.getByText("Every morning").count()).toBe(0);
    await page.getByText("Every evening").first().waitFor();
    await takePictures(page, "schedules-found");
    await expectAccessible(page);
    await page.goto(`${site.address}/admin/template-workflows?q=bread`);
    await count(page, "1 template");
    await page.getByRole("link", { name: "Bake bread" }).waitFor();
    await page.getByLabel("Search templates").fill("stones");
    await page.getByText("No results for “stones”").waitFor();
    await expectAccessible(page);
  }, 120_000);

  test("an administrator finds one of many users and teams, whatever page they are on", async () => {
    const page = await site.open("/admin/users", site.adminToken);
    await page.getByText("1–100 of").waitFor();
    await page.getByLabel("Find users").fill("user-149@");
    await count(page, "1 person");
    await takePictures(page, "admin-users-found");
    await expectAccessible(page);
    await page.getByLabel("Find users").fill("nobody@nowhere");
    await page.getByText("No results for “nobody@nowhere”").waitFor();
    for (let index = 0; index < 105; index++) await site.make.team({ name: `flock-${index}` });
    await page.goto(`${site.address}/admin/teams`);
    await page.getByText(/^1–100 of \d+$/).waitFor();
    await page.getByLabel("Find teams").fill("long-l");
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("link", { name: "long-lists" }).waitFor();
    await expectAccessible(page);
  }, 120_000);

  test("the switch of teams finds one beyond those that it shows at first", async () => {
    const page = await site.open(`/${team.name}/workflows`, site.adminToken);
    const field = page.getByRole("combobox", { name: "Team" }).or(page.getByRole("textbox", { name: "Team" }));
    await field.click();
    await field.fill("flock-104");
    await page.getByRole("option", { name: "flock-104" }).click();
    await page.waitForURL("**/flock-104/workflows");
  });

  test("the palette finds teams, workflows, tasks and templates of everything that one may read, by keyboard, and nothing of others", async () => {
    const owner = await site.make.member((await site.make.team({ name: "own-nest" })).id, "owner");
    await make("/api/v2/team/own-nest/workflow", { name: "hatch", displayName: "Hatch the eggs", tasks: [] });
    await make("/api/v2/team/flock-99/workflow", { name: "hatch-more", displayName: "Hatch in secret", tasks: [] });
    const page = await site.open("/home", owner.token);
    await page.getByRole("link", { name: "own-nest", exact: true }).first().waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /Search places/ });
    await field.fill("hatch");
    await page.getByRole("option", { name: /Hatch the eggs.*own-nest.*Workflow/ }).waitFor();
    expect(await page.getByText("Hatch in secret").count()).toBe(0);
    await field.fill("flock-99");
    await page.getByText(/No results for “flock-99”/).waitFor();

    const admin = await site.open("/home", site.adminToken);
    await admin.getByRole("region", { name: "Teams" }).waitFor();
    await admin.keyboard.press("Control+k");
    const all = admin.getByRole("combobox", { name: /Search places/ });
    await all.fill("weigh");
    await admin.getByRole("option", { name: /Weigh eggs.*Task/ }).waitFor();
    await all.fill("bread");
    await admin.getByRole("option", { name: /Bake bread.*Template/ }).waitFor();
    await all.fill("flock-99");
    await admin.getByRole("option", { name: /flock-99.*Team/ }).waitFor();
    await all.fill("hatch");
    await admin.getByRole("option", { name: /Hatch in secret/ }).waitFor();
    await takePictures(admin, "command-palette-found");
    await expectAccessible(admin);
    await admin.setViewportSize({ width: 360, height: 740 });
    await takePictures(admin, "command-palette-narrow");
    await admin.setViewportSize({ width: 1280, height: 800 });
    // Faster than the service: Enter waits for its response.
    await all.fill("");
    await all.pressSequentially("workflow-311");
    await admin.keyboard.press("Enter");
    await admin.waitForURL("**/long-lists/workflows/workflow-311/**");
  }, 120_000);
});
