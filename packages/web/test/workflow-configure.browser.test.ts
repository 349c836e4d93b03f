import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { openSite, type Site } from "./site.ts";

async function withWorkflow(site: Site, more: object = {}) {
  const team = await site.make.team();
  const at = `/api/v2/team/${team.name}/workflow`;
  await site.call(site.adminToken, "POST", at, { name: "report", displayName: "Report", labels: { area: "money" }, tasks: [], ...more });
  const page = (section: string) => `/${team.name}/workflows/report/configure/${section}`;
  const read = () => site.call<Record<string, unknown>>(site.adminToken, "GET", `${at}/report`);
  return { team, at, page, read };
}

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

  test("a webhook is turned on, gets a secret that is shown once, and is tried for real; an event that does not fit says why", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("triggers"));
    const webhook = page.getByRole("region", { name: "Trigger: Webhook" });
    const event = page.getByRole("region", { name: "Trigger: Event" });
    await webhook.getByRole("switch", { name: /^Webhook/ }).check({ force: true });
    await event.getByRole("switch", { name: /^Event/ }).check({ force: true });
    await event.getByRole("button", { name: "Add a condition" }).click();
    await event.getByLabel("Value of condition 1").fill("order.placed");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ triggers: { webhook: { enabled: true }, event: { enabled: true } } });
    await webhook.getByRole("button", { name: "Make a secret" }).click();
    await page.getByRole("button", { name: "Make it" }).click();
    await webhook.getByText(/^whsec_/).waitFor();
    await webhook.getByRole("button", { name: "Send it" }).click();
    await webhook.getByRole("link", { name: "The run that it started" }).waitFor();
    await event.getByRole("button", { name: "Send it" }).click();
    await event.getByText("It started nothing").waitFor();
    await page.getByRole("heading", { name: "Triggers" }).scrollIntoViewIfNeeded();
    await takePictures(page, "configure-triggers");
    await expectAccessible(page);
  });

  test("filters are built as a form and as JSON in step, and what is wrong with them is told while one types", async () => {
    const { team, page: at, read } = await withWorkflow(site, { triggers: { event: { enabled: true } } });
    const page = await site.openAs("editor", team, at("triggers"));
    const event = page.getByRole("region", { name: "Trigger: Event" });
    await event.getByRole("button", { name: "Add attribute", exact: true }).click();
    await event.getByLabel("Text of filter 1").fill("order.");
    await event.getByRole("combobox", { name: "Comparison of filter 1" }).click();
    await page.getByRole("option", { name: "begins with" }).click();
    await event.getByRole("button", { name: "Add group", exact: true }).click();
    await event.getByLabel("Attribute of filter 2.1").fill("source");
    await event.getByLabel("Text of filter 2.1").fill("/shop");
    await event.getByRole("button", { name: "Add SQL to group 2" }).click();
    await event.getByLabel("SQL of filter 2.2").fill("region LIKE");
    await event.getByText(/at character/).waitFor();
    await event.getByRole("combobox", { name: "How many of group 2" }).click();
    await page.getByRole("option", { name: "None of" }).click();
    await event.getByLabel("SQL of filter 2.2").scrollIntoViewIfNeeded();
    await takePictures(page, "configure-filters-problem");
    await expectAccessible(page);
    await event.getByLabel("SQL of filter 2.2").fill("region LIKE 'n%'");
    await event.getByText(/at character/).waitFor({ state: "detached" });
    await event.getByText("JSON", { exact: true }).click();
    const json = event.getByRole("textbox", { name: "Filters of the trigger Event" });
    await json.getByText(/"prefix"/).waitFor();
    const filters = [
      { prefix: { type: "order." } },
      { not: { any: [{ exact: { source: "/shop" } }, { sql: "region LIKE 'n%'" }] } },
      { near: 1 },
    ];
    await json.fill(JSON.stringify(filters));
    await event.getByText(/has no dialect/).waitFor();
    await takePictures(page, "configure-filters-json");
    await expectAccessible(page);
    await event.getByText("Form", { exact: true }).click();
    await event.getByText(/It has the member near/).waitFor();
    expect(await event.getByLabel("SQL of filter 2.2").inputValue()).toBe("region LIKE 'n%'");
    await takePictures(page, "configure-filters-kept");
    await expectAccessible(page);
    await event.getByRole("button", { name: "Remove filter 3" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ triggers: { event: { filters: filters.slice(0, 2) } } });
    await page.setViewportSize({ width: 360, height: 740 });
    await event.getByLabel("Text of filter 1").scrollIntoViewIfNeeded();
    await takePictures(page, "configure-filters-narrow");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("an event of the codehost is made up and tried: which conditions hold is told while one types, and a run is started as if it had come", async () => {
    const conditions = [
      { field: "events", operation: "equals", value: "pull_request" },
      { field: "branches", operation: "equals", value: "release" },
    ];
    const { team, page: at } = await withWorkflow(site, { triggers: { codehost: { enabled: true, conditions } } });
    const page = await site.openAs("editor", team, at("triggers"));
    const codehost = page.getByRole("region", { name: "Trigger: Codehost" });
    const fit = codehost.getByRole("region", { name: "Whether it fits" });
    await fit.getByText("It fits", { exact: true }).waitFor();
    expect(await codehost.getByRole("textbox", { name: "Branch" }).inputValue()).toBe("release");
    await codehost.getByRole("textbox", { name: "Branch" }).fill("main");
    await fit.getByText("It does not fit").waitFor();
    await fit.getByRole("listitem").filter({ hasText: "Does not hold: branches is release – it is main" }).waitFor();
    const start = codehost.getByRole("button", { name: "Start a run of it" });
    expect(await start.getAttribute("aria-description")).toContain("does not fit");
    await start.scrollIntoViewIfNeeded();
    await takePictures(page, "configure-codehost-unfit");
    await expectAccessible(page);
    await codehost.getByLabel("Value of condition 2").fill("main");
    await fit.getByText("It fits", { exact: true }).waitFor();
    expect(await start.getAttribute("aria-description")).toContain("Save what you changed first");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await start.click();
    await codehost.getByRole("link", { name: "The run that it started" }).waitFor();
    await takePictures(page, "configure-codehost-started");
    await expectAccessible(page);
    const { content } = await site.call<{ content: { trigger: string }[] }>(
      site.adminToken,
      "GET",
      `/api/v2/team/${team.name}/workflowrun/query?limit=5&page=0`,
    );
    expect(content).toMatchObject([{ trigger: "codehost" }]);
  });

  test("a run of another workflow that has ended is tried, and schedules are run now", async () => {
    const conditions = [{ field: "workflows", operation: "equals", value: "build" }];
    const { team, at: api, page: at, read } = await withWorkflow(site);
    await site.call(site.adminToken, "POST", api, { name: "build", displayName: "Build", tasks: [] });
    await site.call(site.adminToken, "POST", `${api}/build/submit?start=true`, {});
    const triggers = { workflow: { enabled: true, conditions }, schedule: { enabled: true } };
    await site.call(site.adminToken, "PUT", api, { ...(await read()), triggers });
    await site.call(site.adminToken, "POST", `/api/v2/team/${team.name}/schedule`, {
      name: "nightly",
      type: "cron",
      cronSchedule: "0 3 * * *",
      workflowRef: "report",
    });
    const page = await site.openAs("editor", team, at("triggers"));
    const after = page.getByRole("region", { name: "Trigger: After a workflow" });
    await after.getByRole("combobox", { name: "Run" }).click();
    await page.getByRole("option", { name: /^Succeeded/ }).click();
    await after.getByRole("region", { name: "Whether it fits" }).getByText("It fits", { exact: true }).waitFor();
    await after.getByRole("button", { name: "Start a run of it" }).click();
    await after.getByRole("link", { name: "The run that it started" }).waitFor();
    await takePictures(page, "configure-after-workflow");
    await expectAccessible(page);
    const schedule = page.getByRole("region", { name: "Trigger: Schedule" });
    await schedule.getByRole("button", { name: "Run nightly now" }).click();
    await schedule.getByRole("link", { name: "The run that it started" }).waitFor();
    await schedule.scrollIntoViewIfNeeded();
    await takePictures(page, "configure-schedule-trial");
    await expectAccessible(page);
  });

  test("a reader may test what fits, and sees why he can't start it", async () => {
    const { team, page: at } = await withWorkflow(site, { triggers: { codehost: { enabled: true } } });
    const page = await site.openAs("reader", team, at("triggers"));
    const codehost = page.getByRole("region", { name: "Trigger: Codehost" });
    await codehost.getByText("It fits: there are no conditions").waitFor();
    expect(await codehost.getByRole("button", { name: "Start a run of it" }).getAttribute("aria-description")).toContain("workflow/action");
    await page.setViewportSize({ width: 360, height: 740 });
    await codehost.getByRole("button", { name: "Start a run of it" }).scrollIntoViewIfNeeded();
    await takePictures(page, "configure-codehost-narrow");
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
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
