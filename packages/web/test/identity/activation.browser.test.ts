import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("a fresh instance", async () => {
  const site = await openSite({ MILLRACE_ADMIN_TOKEN: "" });
  const adminToken = () => readFileSync(join(site.dataDir, "admin-token"), "utf8").trim();
  const signInWith = async (page: Awaited<ReturnType<typeof site.open>>, password: string) => {
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in with password" }).click();
  };

  test("signs in with its first token on the first page, without another click", async () => {
    const page = await site.open("/");
    await page.getByLabel("Access token").fill(adminToken());
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/home");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });

  test(
    "is activated by the code of its first start; a new password and one click end the other sessions, which say so",
    async () => {
      const page = await site.open("/");
      await page.waitForURL("**/activate");
      await page.getByRole("button", { name: "Activate and sign in" }).waitFor();
      await takePictures(page, "activation");
      await expectAccessible(page);
      await page.getByLabel("Your name").fill("Ada Lovelace");
      await page.getByLabel("Email address").fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill("correct horse");
      await page.getByLabel("One-time code").fill(readFileSync(join(site.dataDir, "one-time-code"), "utf8"));
      await page.getByRole("button", { name: "Activate and sign in" }).click();
      await page.waitForURL("**/home");
      await page.getByText("Signed in as Ada Lovelace").waitFor();
      const checklist = page.getByRole("region", { name: "Set up this instance" });
      await checklist.waitFor();
      await takePictures(page, "home-checklist");
      await expectAccessible(page);
      await checklist.getByRole("button", { name: "Dismiss checklist" }).click();
      await checklist.waitFor({ state: "detached" });
      await page.getByRole("region", { name: "First steps" }).waitFor();

      const there = await site.open("/sign-in");
      await takePictures(there, "sign-in-password");
      await signInWith(there, "correct horse");
      await there.waitForURL("**/home");
      await page.goto(`${site.address}/profile/account`);
      await takePictures(page, "profile-account");
      await expectAccessible(page);
      await page.getByLabel("Current password").fill("correct horse");
      await page.getByLabel("New password").fill("battery staple");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Password changed").waitFor();
      await page.getByRole("tab", { name: "Sessions" }).click();
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      await there.goto(`${site.address}/profile/sessions`);
      await there.getByText("Your session has ended").waitFor();
      await signInWith(there, "battery staple");
      await there.waitForURL("**/profile/sessions");

      await there.getByText("This session").waitFor();
      await expect.poll(() => there.getByRole("row").count()).toBe(3);
      await takePictures(there, "profile-sessions");
      await expectAccessible(there);
      await there.getByRole("button", { name: "End all other sessions" }).click();
      await there.getByRole("button", { name: /^End \d+ sessions?$/ }).click();
      await expect.poll(() => there.getByRole("row").count()).toBe(2);
      await page.goto(`${site.address}/profile/account`);
      await page.getByText("Your session has ended").waitFor();
    },
    journeyMs,
  );

  test("an invited user sets a password with a code from an administrator, and is signed out once the account is inactive", async () => {
    const user = await site.make.user({ email: "colleague@example.com" });
    const page = await site.open("/admin/users", adminToken());
    const more = page.getByRole("button", { name: `More actions for ${user.email}` });
    await more.click();
    await page.getByRole("menuitem", { name: "Create password code" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create code" }).click();
    const code = await page.getByRole("dialog").locator("pre").textContent();
    await takePictures(page, "admin-password-code");
    await page.getByRole("button", { name: "Done" }).click();

    const theirs = await site.open("/sign-in");
    await theirs.getByRole("button", { name: "Set a password with a code" }).click();
    await theirs.getByLabel("Email address").fill(user.email);
    await theirs.getByLabel("Code", { exact: true }).fill(code ?? "");
    await theirs.getByLabel("New password").fill("nine rivets");
    await takePictures(theirs, "sign-in-code");
    await expectAccessible(theirs);
    await theirs.getByRole("button", { name: "Set password and sign in" }).click();
    await theirs.waitForURL("**/home");

    await more.click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("Status", { exact: true }).first().click();
    await page.getByRole("option", { name: "Inactive: can't sign in" }).click();
    await page.getByRole("button", { name: "Save user" }).click();
    await page.getByRole("row", { name: user.email }).getByText("Inactive").waitFor();
    await theirs.goto(`${site.address}/profile/account`);
    await theirs.waitForURL("**/sign-in**");
  });

  test("a person who was invited opens the link in a browser of their own, sets a password and is a member", async () => {
    const team = await site.make.team({ name: "owls" });
    const owner = await site.make.member(team.id, "owner");
    const page = await site.open("/owls/manage/members", owner.token);
    await page.getByRole("button", { name: "Invite people" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite people" });
    await dialog.getByLabel("Email addresses").fill("grace@example.com");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("reader").check();
    await takePictures(page, "manage-invite");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await dialog.locator("pre").textContent();
    await expectAccessible(page);
    await takePictures(page, "manage-invitation-link");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("row", { name: /grace@example\.com/ })
      .getByText("Pending")
      .waitFor();

    const theirs = await site.open(new URL(link ?? "").pathname + new URL(link ?? "").hash);
    await theirs.getByLabel("Your name").fill("Grace");
    expect(theirs.url()).toBe(`${site.address}/sign-in/invitation`);
    await takePictures(theirs, "invitation");
    await expectAccessible(theirs);
    await theirs.getByLabel("Password", { exact: true }).fill("nine rivets");
    await theirs.getByRole("button", { name: "Create account and join" }).click();
    await theirs.waitForURL("**/owls/workflows");
    await theirs.getByRole("heading", { name: "Workflows", level: 1 }).waitFor();
    const { members } = await site.call<{ members: { email: string; name: string; role: string }[] }>(
      owner.token,
      "GET",
      "/api/v2/team/owls",
    );
    expect(members).toContainEqual(expect.objectContaining({ email: "grace@example.com", name: "Grace", role: "reader" }));
  });
});
