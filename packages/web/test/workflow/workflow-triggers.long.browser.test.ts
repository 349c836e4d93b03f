import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";
import { withWorkflow } from "../kit/with-workflow.ts";

describeInBrowser("triggers of a workflow", async () => {
  const site = await openSite();

  test("a webhook is turned on, gets a secret that is shown once, and is tried for real; an event that does not fit says why", async () => {
    const { team, page: at, read } = await withWorkflow(site);
    const page = await site.openAs("editor", team, at("triggers"));
    const webhook = page.getByRole("region", { name: "Trigger: Webhook" });
    const event = page.getByRole("region", { name: "Trigger: Event" });
    await webhook.getByRole("switch", { name: /^Webhook/ }).check({ force: true });
    await event.getByRole("switch", { name: /^Event/ }).check({ force: true });
    await event.getByRole("button", { name: "Add condition" }).click();
    await event.getByLabel("Value of condition 1").fill("order.placed");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await read()).toMatchObject({ triggers: { webhook: { enabled: true }, event: { enabled: true } } });
    await webhook.getByRole("button", { name: "Create secret" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await webhook.getByText(/^whsec_/).waitFor();
    await webhook.getByRole("button", { name: "Send" }).click();
    await webhook.getByRole("link", { name: "Started run" }).waitFor();
    await event.getByRole("region", { name: "Test result" }).getByText("Matches", { exact: true }).waitFor();
    const cloudEvent = event.getByRole("textbox", { name: "CloudEvent to send" });
    await cloudEvent.fill(JSON.stringify({ specversion: "1.0", id: "1", source: "/s", type: "order.gone" }));
    await event.getByText("Doesn't match: $.type is order.placed – the value is order.gone").waitFor();
    await event.getByRole("button", { name: "Send" }).click();
    await event.getByText("No run started").waitFor();
    await page.getByRole("heading", { name: "Triggers" }).scrollIntoViewIfNeeded();
    await takePictures(page, "configure-triggers");
    await expectAccessible(page);
  });

  test("the form and the JSON of filters stay in sync, and faults are shown while typing", async () => {
    const { team, page: at, read } = await withWorkflow(site, { triggers: { event: { enabled: true } } });
    const page = await site.openAs("editor", team, at("triggers"));
    const event = page.getByRole("region", { name: "Trigger: Event" });
    await event.getByRole("button", { name: "Add attribute", exact: true }).click();
    await event.getByLabel("Text of filter 1").fill("order.");
    await event.getByRole("combobox", { name: "Comparison of filter 1" }).click();
    await page.getByRole("option", { name: "starts with" }).click();
    await event.getByRole("button", { name: "Add group", exact: true }).click();
    await event.getByLabel("Attribute of filter 2.1").fill("source");
    await event.getByLabel("Text of filter 2.1").fill("/shop");
    await event.getByRole("button", { name: "Add SQL to group 2" }).click();
    await event.getByLabel("SQL of filter 2.2").fill("region LIKE");
    await event.getByText(/at character/).waitFor();
    await event.getByRole("combobox", { name: "Match rule of group 2" }).click();
    await page.getByRole("option", { name: "None of" }).click();
    await event.getByText(/at character/).waitFor();
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
    await event.getByText(/It has the unknown member near/).waitFor();
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
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("a sample event of the codehost is tried: matching conditions are shown while typing, and a run is started", async () => {
    const conditions = [
      { field: "events", operation: "equals", value: "pull_request" },
      { field: "branches", operation: "equals", value: "release" },
    ];
    const { team, page: at } = await withWorkflow(site, { triggers: { codehost: { enabled: true, conditions } } });
    const page = await site.openAs("editor", team, at("triggers"));
    const codehost = page.getByRole("region", { name: "Trigger: Code host" });
    const fit = codehost.getByRole("region", { name: "Test result" });
    await fit.getByText("Matches", { exact: true }).waitFor();
    expect(await codehost.getByRole("textbox", { name: "Branch" }).inputValue()).toBe("release");
    await codehost.getByRole("textbox", { name: "Branch" }).fill("main");
    await fit.getByText("Doesn't match", { exact: true }).waitFor();
    await fit.getByRole("listitem").filter({ hasText: "Doesn't match: branches is release – the value is main" }).waitFor();
    const start = codehost.getByRole("button", { name: "Start a run" });
    expect(await start.getAttribute("aria-description")).toContain("doesn't match");
    await start.scrollIntoViewIfNeeded();
    await takePictures(page, "configure-codehost-unfit");
    await expectAccessible(page);
    await codehost.getByLabel("Value of condition 2").fill("main");
    await fit.getByText("Matches", { exact: true }).waitFor();
    expect(await start.getAttribute("aria-description")).toContain("Save your changes first");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await start.click();
    await codehost.getByRole("link", { name: "Started run" }).waitFor();
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
      timezone: "UTC",
      workflowRef: "report",
    });
    const page = await site.openAs("editor", team, at("triggers"));
    const after = page.getByRole("region", { name: "Trigger: After a workflow" });
    await after.getByRole("combobox", { name: "Run" }).click();
    await page.getByRole("option", { name: /^Succeeded/ }).click();
    await after.getByRole("region", { name: "Test result" }).getByText("Matches", { exact: true }).waitFor();
    await after.getByRole("button", { name: "Start a run" }).click();
    await after.getByRole("link", { name: "Started run" }).waitFor();
    await takePictures(page, "configure-after-workflow");
    await expectAccessible(page);
    const schedule = page.getByRole("region", { name: "Trigger: Schedule" });
    await schedule.getByRole("button", { name: "Run now: nightly" }).click();
    await schedule.getByRole("link", { name: "Started run" }).waitFor();
    await schedule.scrollIntoViewIfNeeded();
    await takePictures(page, "configure-schedule-trial");
    await expectAccessible(page);
  });

  test("a reader may test what matches, and sees why starting is not allowed", async () => {
    const { team, page: at } = await withWorkflow(site, { triggers: { codehost: { enabled: true } } });
    const page = await site.openAs("reader", team, at("triggers"));
    const codehost = page.getByRole("region", { name: "Trigger: Code host" });
    await codehost.getByText("Matches (no conditions set)").waitFor();
    expect(await codehost.getByRole("button", { name: "Start a run" }).getAttribute("aria-description")).toContain("workflow/action");
    await page.setViewportSize({ width: 360, height: 740 });
    await codehost.getByRole("button", { name: "Start a run" }).scrollIntoViewIfNeeded();
    await takePictures(page, "configure-codehost-narrow");
    await expectAccessible(page);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
