import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

/** The rules of the sections are in the tests of their components; what each role may do there is in `roles`. */
describeInBrowser("administration", async () => {
  const site = await openSite();
  await site.make.team({ name: "owls" });
  await site.make.team({ name: "hawks" });
  for (const type of ["user", "operator", "auditor"] as const) await site.make.user({ type, email: `${type}@example.com` });
  const places = (page: Page) => page.getByRole("navigation", { name: "Main" });
  const go = (page: Page, name: string) => places(page).getByRole("link", { name, exact: true }).click();

  async function neverScrollsSideways(page: Page, name: string) {
    await page.setViewportSize({ width: 360, height: 720 });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { message: name }).toBe(360);
    await takePictures(page, `narrow-${name}`);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  test(
    "an administrator creates a team, finds users, changes settings and features, and looks at the workers",
    async () => {
      const page = await site.open("/admin/teams", site.adminToken);
      await changesTeam(page);
      await go(page, "Users");
      await findsUsers(page);
      await go(page, "Settings");
      await changesSettings(page);
      await page.getByRole("navigation", { name: "Groups of settings" }).getByRole("link", { name: "Features" }).click();
      await switchesFeature(page);
      await looksAtWorkers(page);
    },
    journeyMs,
  );

  async function changesTeam(page: Page) {
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByLabel("Name").fill("Sign in");
    await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
    await page.getByRole("alert").getByText("reserved").waitFor();
    await page.getByLabel("Name").fill("The Ravens");
    await takePictures(page, "admin-team-create");
    await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
    await page.getByRole("link", { name: "The Ravens" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await takePictures(page, "admin-teams");
    await expectAccessible(page);
    await neverScrollsSideways(page, "admin-teams");
    await page.getByLabel("Find teams").fill("raven");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(page.url()).toContain("find=raven");

    const more = page.getByRole("button", { name: "More actions for the-ravens" });
    await more.click();
    await page.getByRole("menuitem", { name: "Quotas" }).click();
    await page.getByRole("dialog").getByLabel("Workflows", { exact: true }).fill("7");
    await takePictures(page, "admin-team-quotas");
    await page.getByRole("button", { name: "Save quotas" }).click();
    await page.getByRole("cell", { name: "0 of 7" }).waitFor();
    await more.click();
    await page.getByRole("menuitem", { name: "Permissions of tasks" }).click();
    await page.getByLabel("Privileged steps and capabilities").check();
    await takePictures(page, "admin-team-permissions");
    await page.getByRole("button", { name: "Save permissions" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await site.call(site.adminToken, "GET", "/api/v2/team/the-ravens")).toMatchObject({
      allowPrivileged: true,
      allowHostNetwork: false,
    });
    await more.click();
    await page.getByRole("menuitem", { name: "Deactivate" }).click();
    await page.getByRole("button", { name: "Deactivate team" }).click();
    await page.getByRole("row", { name: "The Ravens" }).getByText("Inactive").waitFor();
  }

  async function findsUsers(page: Page) {
    await page.getByRole("cell", { name: "operator@example.com", exact: true }).waitFor();
    await takePictures(page, "admin-users");
    await expectAccessible(page);
    await neverScrollsSideways(page, "admin-users");
    await page.getByLabel("Type", { exact: true }).first().click();
    await page.getByRole("option", { name: "Operator" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(page.url()).toContain("type=operator");
    // The commands beside a section hold no secret.
    await page.getByRole("button", { name: "API", exact: true }).click();
    await page.getByText("/api/v2/user/query").waitFor();
    expect(await page.content()).not.toContain(site.adminToken);
    await takePictures(page, "how-to");
    await page.keyboard.press("Escape");
    await page.getByText("/api/v2/user/query").waitFor({ state: "detached" });
  }

  async function changesSettings(page: Page) {
    const groups = page.getByRole("navigation", { name: "Groups of settings" });
    await groups.getByRole("button", { name: /^API/ }).click();
    await page.getByLabel("Burst").fill("0");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await expect.poll(() => page.getByLabel("Burst").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Burst").inputValue()).toBe("0");
    await page.getByRole("button", { name: "Discard" }).click();
    await groups.getByRole("button", { name: /^Customi/ }).click();
    await page.getByLabel("Platform name").fill("Example");
    await page.getByText("not saved").first().waitFor();
    await takePictures(page, "admin-settings");
    await expectAccessible(page);
    await neverScrollsSideways(page, "admin-settings");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await page.getByText("Settings saved.").waitFor();
    await page.getByText("changed", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: /Example/ }).waitFor();
    const settings = await site.call<{ config: { key: string; value: string }[] }[]>(site.adminToken, "GET", "/api/v2/settings");
    expect(settings.flatMap(({ config }) => config).find(({ key }) => key === "platformName")?.value).toBe("Example");
  }

  /** It is gone from the sidebar at once. */
  async function switchesFeature(page: Page) {
    await page.getByRole("switch", { name: "Insights" }).waitFor();
    await takePictures(page, "admin-features");
    await expectAccessible(page);
    await neverScrollsSideways(page, "admin-features");
    const link = places(page).getByRole("link", { name: "Insights" });
    await link.waitFor();
    await page.getByRole("switch", { name: "Insights" }).press("Space");
    await expect.poll(() => link.count()).toBe(0);
  }

  /** They say how full they are, which executor is off and why, and what waits for what. */
  async function looksAtWorkers(page: Page) {
    await site.call(site.adminToken, "POST", "/api/v2/team/owls/workflow", {
      name: "needs-gpu",
      tasks: [
        {
          name: "work",
          taskRef: "execute-shell",
          annotations: { "millrace.dev/runs-on": "gpu" },
          params: [{ name: "script", value: "echo hello" }],
        },
      ],
    });
    await site.call(site.adminToken, "POST", "/api/v2/team/owls/workflow/needs-gpu/submit?start=true", {});
    await go(page, "Workers");
    await page.getByText("This server").waitFor();
    await page.getByText('has the label "gpu"').waitFor();
    await takePictures(page, "admin-workers");
    await expectAccessible(page);
    await neverScrollsSideways(page, "admin-workers");
  }

  test("a token without a user has no profile, and the page says what it is; its theme and language are kept", async () => {
    const page = await site.open("/profile/account", site.adminToken);
    await page.getByText("isn't a user account").waitFor();
    await takePictures(page, "profile-of-a-token");
    await expectAccessible(page);
    await neverScrollsSideways(page, "profile-account");
    await page.getByRole("tab", { name: "Appearance" }).click();
    await page.getByLabel("Dark", { exact: true }).check();
    await expect.poll(() => page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
    // The page loads again, and keeps both.
    await page.getByLabel("Deutsch", { exact: true }).click();
    await page.getByRole("heading", { name: "Profil" }).waitFor();
    await page.getByText("Europe/London: aktuelle Zeit").waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("de");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
  });

  test("every component is shown on one page, in both themes", async () => {
    const page = await site.open("/kit", site.adminToken);
    await page.getByLabel("A workflow", { exact: true }).waitFor();
    await page.getByLabel("Changes").waitFor();
    await expectAccessible(page, page.locator("html"), true);
    await neverScrollsSideways(page, "kit");
    await page.getByRole("button", { name: "Ask and be refused" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("cancel its runs first").waitFor();
    await expectAccessible(page, page.getByRole("dialog"), true);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.setViewportSize({ width: 1280, height: 4800 });
    await takePictures(page, "kit");
  });
});
