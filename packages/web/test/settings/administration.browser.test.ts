import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("administration", async () => {
  const site = await openSite();
  const owls = await site.make.team({ name: "owls" });
  await site.make.team({ name: "hawks" });
  for (const type of ["user", "operator", "auditor"] as const) await site.make.user({ type, email: `${type}@example.com` });
  const open = (section: string) => site.open(`/admin/${section}`, site.adminToken);

  test("a team is created, found, given other quotas and deactivated", async () => {
    const page = await open("teams");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByLabel("Name").fill("Sign in");
    await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
    await page.getByRole("alert").getByText("reserved").waitFor();
    await page.getByLabel("Name").fill("The Ravens");
    await takePictures(page, "admin-team-create");
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
    await page.getByRole("link", { name: "The Ravens" }).waitFor();
    await takePictures(page, "admin-teams");
    await expectAccessible(page);
    await page.getByLabel("Find teams").fill("raven");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(page.url()).toContain("find=raven");

    const more = page.getByRole("button", { name: "More actions for the-ravens" });
    await more.click();
    await page.getByRole("menuitem", { name: "Quotas" }).click();
    await page.getByRole("dialog").getByLabel("Workflows", { exact: true }).fill("7");
    await takePictures(page, "admin-team-quotas");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save quotas" }).click();
    await page.getByRole("cell", { name: "0 of 7" }).waitFor();
    await more.click();
    await page.getByRole("menuitem", { name: "Permissions of tasks" }).click();
    await page.getByLabel("Privileged steps and capabilities").check();
    await takePictures(page, "admin-team-permissions");
    await expectAccessible(page);
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
  });

  test("users are found by name, type and status, with the filter in the address", async () => {
    const page = await open("users");
    await page.getByRole("cell", { name: "operator@example.com", exact: true }).waitFor();
    await takePictures(page, "admin-users");
    await expectAccessible(page);
    await page.getByLabel("Type", { exact: true }).first().click();
    await page.getByRole("option", { name: "Operator" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  });

  test("settings of several groups are saved together, and what is another than the default is marked", async () => {
    const page = await open("settings?group=customizations");
    await page.getByLabel("Platform name").fill("Example");
    await page.getByText("not saved").first().waitFor();
    await takePictures(page, "admin-settings");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await page.getByText("Settings saved.").waitFor();
    await page.getByText("changed", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: /Example/ }).waitFor();
    const settings = await site.call<{ config: { key: string; value: string }[] }[]>(site.adminToken, "GET", "/api/v2/settings");
    expect(settings.flatMap(({ config }) => config).find(({ key }) => key === "platformName")?.value).toBe("Example");
  });

  test("a value that is not allowed is refused at its field, and what was typed stays", async () => {
    const page = await open("settings?group=api");
    await page.getByLabel("Burst").fill("0");
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await expect.poll(() => page.getByLabel("Burst").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Burst").inputValue()).toBe("0");
  });

  test("a feature that is switched off is gone from the sidebar at once", async () => {
    const page = await open("features");
    await page.getByRole("switch", { name: "Insights" }).waitFor();
    await takePictures(page, "admin-features");
    await expectAccessible(page);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Insights" }).waitFor();
    await page.getByRole("switch", { name: "Insights" }).press("Space");
    await expect.poll(() => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Insights" }).count()).toBe(0);
  });

  test("workers say how full they are, which executor is off and why, and what waits for what", async () => {
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
    const page = await open("workers");
    await page.getByText("This server").waitFor();
    await page.getByText('has the label "gpu"').waitFor();
    await takePictures(page, "admin-workers");
    await expectAccessible(page);
  });

  test("users who are not administrators see which permission a section needs", async () => {
    // The table of the roles checks that each section says so.
    const page = await site.openAs("owner", owls, "/admin/users");
    await page.getByRole("alert").getByText("Ask an administrator").waitFor();
    await takePictures(page, "admin-no-permission");
    await expectAccessible(page);
  });

  test("an operator may not make a password code, and the menu says why", async () => {
    const operator = await site.make.user({ type: "operator" });
    const page = await site.open("/admin/users?find=auditor", await site.make.userToken(operator.id));
    await page.getByRole("button", { name: "More actions for auditor@example.com" }).click();
    const action = page.getByRole("menuitem", { name: "Create password code" });
    expect([await action.getAttribute("aria-disabled"), await action.textContent()]).toEqual([
      "true",
      expect.stringContaining("administrator"),
    ]);
    await expectAccessible(page);
  });

  test("a token without a user has no profile, and the page says what it is", async () => {
    const page = await site.open("/profile/account", site.adminToken);
    await page.getByText("isn't a user account").waitFor();
    await takePictures(page, "profile-of-a-token");
    await expectAccessible(page);
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

  test("the commands beside a section hold no secret, and can be copied", async () => {
    const page = await open("users");
    await page.getByRole("button", { name: "API", exact: true }).click();
    await page.getByText("/api/v2/user/query").waitFor();
    expect(await page.content()).not.toContain(site.adminToken);
    await takePictures(page, "how-to");
    await expectAccessible(page);
  });

  test("every component stands on one page, in both themes", async () => {
    const page = await site.open("/kit", site.adminToken);
    await page.getByLabel("A workflow", { exact: true }).waitFor();
    await page.getByLabel("Changes").waitFor();
    await expectAccessible(page, page.locator("html"), true);
    await page.getByRole("button", { name: "Ask and be refused" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("cancel its runs first").waitFor();
    await expectAccessible(page, page.getByRole("dialog"), true);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.setViewportSize({ width: 1280, height: 4800 });
    await takePictures(page, "kit");
  });

  test("a narrow screen never scrolls sideways", async () => {
    const page = await open("teams");
    await page.setViewportSize({ width: 360, height: 720 });
    for (const path of ["admin/teams", "admin/users", "admin/settings", "admin/features", "admin/workers", "profile/account", "kit"]) {
      await page.goto(`${site.address}/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByRole("status", { name: /Loading/ }).count()).toBeLessThan(2);
      await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { message: path }).toBe(360);
      await takePictures(page, `narrow-${path.replace("/", "-")}`);
    }
  });
});
