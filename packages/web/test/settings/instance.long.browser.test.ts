import { expect, test } from "vitest";
import { webhookReceiver } from "../../../server/test/fakes/webhook-receiver.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { expectGone } from "../kit/expect-gone.ts";
import { after, runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("what belongs to the whole instance", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const runs = runSite(site);
  const team = await runs.team();
  const other = await runs.team();
  const open = (section: string) => site.open(`/admin/${section}`, site.adminToken);

  test("an administrator makes, changes and deletes a global secret, and a run of any team uses it unseen", async () => {
    const page = await open("parameters");
    await page.getByText("No parameters yet").waitFor();
    await page.getByRole("button", { name: "Add parameter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("registry-key");
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Secret", exact: true }).click();
    await dialog.locator("input[type=password]").fill("gL0bal-s3cret");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Add parameter" }).click();
    await page.getByRole("row", { name: /registry-key/ }).waitFor();
    await expectGone(page, "gL0bal-s3cret");
    await takePictures(page, "admin-parameters");
    await expectAccessible(page);

    const { id } = await runs.start(team.owner.token, team, [
      shell("use", "", {
        params: [
          { name: "script", value: 'echo "key=$PARAM_KEY"; [ "${#PARAM_KEY}" = 13 ]' },
          { name: "key", value: "$(global.params.registry-key)" },
        ],
      }),
    ]);
    expect((await runs.over(team.owner.token, team, id)).status).toBe("succeeded");
    const run = await site.open(`/${team.name}/activity/${id}?task=use&tab=log`, team.owner.token);
    await run.getByRole("log").getByText("key=").waitFor();
    expect(await run.content()).not.toContain("gL0bal-s3cret");
    await run.getByText("Details", { exact: true }).click();
    await run.getByRole("region", { name: "Details of use" }).getByText("******").first().waitFor();
    expect(await run.content()).not.toContain("gL0bal-s3cret");

    await page
      .getByRole("row", { name: /registry-key/ })
      .getByRole("button", { name: /Delete/ })
      .click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete parameter" }).click();
    await page.getByText("No parameters yet").waitFor();
  });

  test("a global token is shown once, works within its permissions and dies when it is revoked", async () => {
    const page = await open("tokens");
    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("fleet");
    await dialog.getByRole("button", { name: "Read only" }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create token" }).click();
    const once = page.getByRole("dialog", { name: "Copy the token" });
    const text = ((await once.locator("pre").first().textContent()) ?? "").trim();
    expect(text).toMatch(/^mrg_/);
    await expectAccessible(page);
    await takePictures(page, "admin-token-once");
    await once.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /fleet/ }).waitFor();
    await expectGone(page, text);
    await takePictures(page, "admin-tokens");
    await expectAccessible(page);
    await site.call(text, "GET", "/api/v2/team/query?limit=1&page=0");
    await expect(site.call(text, "POST", "/api/v2/team", { name: "nope" })).rejects.toThrow("403");
    await page
      .getByRole("row", { name: /fleet/ })
      .getByRole("button", { name: /Revoke/ })
      .click();
    await expectAccessible(page);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Revoke/ })
      .click();
    await page.getByRole("row", { name: /fleet/ }).waitFor({ state: "detached" });
    await expect(site.call(text, "GET", "/api/v2/team/query?limit=1&page=0")).rejects.toThrow("401");
  });

  test("a subscription of the instance gets the events of every team", async () => {
    let secret = "";
    const receiver = await webhookReceiver(() => secret);
    const page = await open("events");
    await page.getByText("anything in any team").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("everything that fails");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Failed runs" }).click();
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    secret = (await dialog.locator("pre").first().textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "everything that fails" }).waitFor();
    for (const one of [team, other]) await runs.start(one.owner.token, one, [shell("fail", "exit 1")]);
    await expect.poll(() => new Set(receiver.taken().map(({ event }) => event.data.workflowName)).size, { timeout: 15_000 }).toBe(2);
    await page.getByRole("radiogroup", { name: "Status" }).getByText("Delivered", { exact: true }).click();
    await expect.poll(() => page.getByRole("region", { name: "Deliveries" }).getByRole("row").count()).toBe(3);
    await takePictures(page, "admin-events");
    await expectAccessible(page);
  });

  test("insights count the runs of all teams and lead to each team; the page has one margin", async () => {
    for (const one of [team, other]) {
      const { id } = await runs.start(one.owner.token, one, [shell("a", "true"), shell("b", "true", after("a"))]);
      await runs.over(one.owner.token, one, id);
    }
    const page = await open("insights");
    const teams = page.getByRole("region", { name: /Teams/ });
    for (const { name } of [team, other]) await page.getByRole("link", { name, exact: true }).first().waitFor();
    const [title, filters] = await Promise.all([
      page.getByRole("heading", { level: 1 }).boundingBox(),
      page.getByRole("radiogroup", { name: "Period" }).boundingBox(),
    ]);
    expect(filters?.x).toBe(title?.x);
    await takePictures(page, "admin-insights");
    await expectAccessible(page);
    await teams.getByRole("link", { name: team.name, exact: true }).first().click();
    await page.waitForURL(`**/${team.name}/insights**`);
  });

  test("the audit of the instance finds what was done in one team, by whom, and opens it", async () => {
    await site.call(team.owner.token, "PATCH", team.api, { displayName: "The audited" });
    const page = await open("audit");
    await page.getByRole("search", { name: "Filter audit records" }).getByLabel("Team").fill(team.name);
    await page.waitForURL(/inTeam=/);
    await expectAccessible(page);
    await takePictures(page, "admin-audit");
    await page.getByRole("search").getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "team", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: team.owner.email.split("@")[0] as string });
    await row.getByRole("button").first().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("The audited").first().waitFor();
    await expectAccessible(page);
    await takePictures(page, "admin-audit-record");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("an owner of a team sees the permission for each of these, and a reader sees why nothing can be changed", async () => {
    const page = await site.open("/admin/audit", team.owner.token);
    for (const section of ["audit", "events", "parameters", "tokens", "insights"]) {
      await page.goto(`${site.address}/admin/${section}`);
      const refused = page.getByRole("alert");
      await refused.getByText("Ask an administrator").waitFor();
      await refused.getByText("You don't have access to this").waitFor();
      expect([section, await page.getByRole("main").getByRole("button").count()]).toEqual([section, 0]);
    }
    await takePictures(page, "admin-refused");
    await expectAccessible(page);
    const reads = await site.open("/admin/parameters", await site.make.globalToken(["**/read"]));
    for (const [section, button] of [
      ["parameters", "Add parameter"],
      ["events", "Create subscription"],
      ["tokens", "Create token"],
    ]) {
      await reads.goto(`${site.address}/admin/${section}`);
      const action = reads.getByRole("button", { name: button as string }).first();
      await action.waitFor();
      expect([section, await action.getAttribute("aria-disabled")]).toEqual([section, "true"]);
    }
    await expectAccessible(reads);
  });
});
