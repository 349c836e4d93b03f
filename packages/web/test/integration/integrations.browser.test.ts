import { expect, test } from "vitest";
import { webhookReceiver } from "../../../server/test/fakes/webhook-receiver.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("integrations of a team", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const team = await site.make.team();
  const owner = await site.make.member(team.id, "owner");
  const address = `/${team.name}/integrations`;

  test("a webhook is subscribed with a secret shown once, tested, and what was given up is replayed", async () => {
    let secret = "";
    const receiver = await webhookReceiver(() => secret);
    const page = await site.open(address, owner.token);
    await page.getByText("No notifications yet").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-empty");
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("failed runs");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Failed runs" }).click();
    await expectAccessible(page);
    await takePictures(page, "integrations-subscription-create");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    secret = (await dialog.locator("pre").first().textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Done" }).click();

    await page.getByRole("heading", { name: "failed runs" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Send test event" }).click();
    const first = page.getByRole("row").filter({ hasText: "Test event" });
    await first.getByText("Delivered").waitFor();
    expect(receiver.taken()).toHaveLength(1);

    receiver.answer(() => ({ status: 410, body: "moved away" }));
    await page.getByRole("button", { name: "Send test event" }).click();
    const dead = page.getByRole("row").filter({ hasText: "Gave up" });
    await dead.waitFor();
    await dead.getByRole("button", { name: "Test event", exact: true }).click();
    const detail = page.getByRole("dialog", { name: "Delivery" });
    await detail.getByText("410 moved away").waitFor();
    await detail.getByText("dev.millrace.subscription.test").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-delivery");
    await page.keyboard.press("Escape");
    await page.getByText("Paused automatically").first().waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-subscription");

    receiver.answer(() => ({ status: 204 }));
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "Gave up" }).getByRole("button", { name: "Replay Test event" }).click();
    await expect.poll(() => receiver.taken().length, { timeout: 10_000 }).toBe(2);
    await page.getByText("Gave up", { exact: true }).nth(1).waitFor({ state: "detached" });
  });

  test("a target that may not be reached is refused where it was written", async () => {
    const page = await site.open(address, owner.token);
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("nowhere");
    await dialog.getByLabel("URL").fill("ftp://example.com/");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    await dialog.getByText("must start with https").waitFor();
    expect(await dialog.getByLabel("URL").getAttribute("aria-invalid")).toBe("true");
    await dialog.locator("label").filter({ hasText: "Email" }).click();
    await dialog.getByLabel("Everyone who can still approve").check();
    await takePictures(page, "integrations-email");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    await page.getByRole("heading", { name: "nowhere", level: 2, exact: true }).waitFor();
    await page.getByText("approvers").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete subscription" }).click();
    await page.getByRole("heading", { name: "nowhere", level: 2, exact: true }).waitFor({ state: "detached" });
  });

  test("a platform that is not set up says what an administrator sets, and shows a reader why linking is not allowed", async () => {
    const page = await site.open(`${address}?tab=platforms`, owner.token);
    await page.getByText("codehost.appName").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-platforms");
    await site.call(site.adminToken, "PUT", "/api/v2/settings", [
      { id: "integration", config: [{ key: "codehost.appName", value: "millrace-hawks" }] },
    ]);
    await page.reload();
    await page.getByLabel("Installation number").first().fill("4711");
    await page.getByRole("button", { name: "Link to this team" }).first().click();
    await page.getByRole("alert").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-codehost");
    const reader = await site.openAs("reader", team, `${address}?tab=platforms`);
    const link = reader.getByRole("button", { name: "Link to this team" }).first();
    expect(await link.getAttribute("aria-description")).toContain("integration/write");
    await reader.getByRole("tab", { name: "Outgoing events" }).click();
    expect(await reader.getByRole("button", { name: "Create subscription" }).getAttribute("aria-description")).toContain(
      "integration/write",
    );
  });
});
