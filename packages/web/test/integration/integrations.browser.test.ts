import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webhookReceiver } from "../../../server/test/fakes/webhook-receiver.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "../kit/browser.ts";
import { expectGone } from "../kit/expect-gone.ts";
import { openSite } from "../kit/site.ts";

/** The forms, the log's filter and what each role may do are in the tests of the components. */
describeInBrowser("integrations of a team", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const team = await site.make.team();
  const owner = await site.make.member(team.id, "owner");
  const address = `/${team.name}/integrations`;
  const rows = (page: Page) => page.getByRole("region", { name: "Deliveries" }).getByRole("row");
  let secret = "";
  let receiver: Awaited<ReturnType<typeof webhookReceiver>>;

  test(
    "a webhook is subscribed, tested, paused when it is gone, replayed, signed by a new secret, and deleted",
    async () => {
      receiver = await webhookReceiver(() => secret);
      const page = await site.open(address, owner.token);
      await subscribes(page);
      await isTested(page);
      await isPausedAndReplayed(page);
      await rotatesSecret(page);
      await editsAndDeletes(page);
    },
    journeyMs,
  );

  /** The secret is shown once. */
  async function subscribes(page: Page) {
    await page.getByText("No notifications yet").waitFor();
    await expectAccessible(page);
    await takePictures(page, "integrations-empty");
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("failed runs");
    await dialog.getByLabel("URL").fill("ftp://example.com/");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    await dialog.getByText("must start with https").waitFor();
    expect(await dialog.getByLabel("URL").getAttribute("aria-invalid")).toBe("true");
    for (const [channel, field] of [
      ["Email", "Addresses"],
      ["Chat", "Channel"],
    ] as const) {
      await dialog.locator("label").filter({ hasText: channel }).click();
      await dialog.getByLabel(field).first().waitFor();
      await expectAccessible(page);
      await takePictures(page, `integrations-${channel.toLowerCase()}`);
    }
    await dialog.locator("label").filter({ hasText: "Webhook" }).click();
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Failed runs" }).click();
    await takePictures(page, "integrations-subscription-create");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    secret = (await dialog.locator("pre").first().textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "failed runs" }).waitFor();
    await expectGone(page, secret);
  }

  async function isTested(page: Page) {
    await page.getByRole("button", { name: "Send test event" }).click();
    const first = page.getByRole("row").filter({ hasText: "Test event" });
    await first.getByText("Delivered").waitFor();
    expect(receiver.taken()).toHaveLength(1);
  }

  async function isPausedAndReplayed(page: Page) {
    receiver.answer(() => ({ status: 410, body: "moved away" }));
    await page.getByRole("button", { name: "Send test event" }).click();
    const dead = page.getByRole("row").filter({ hasText: "Gave up" });
    await dead.waitFor();
    await dead.getByRole("button", { name: "Test event", exact: true }).click();
    const detail = page.getByRole("dialog", { name: "Delivery" });
    await detail.getByText("410 moved away").waitFor();
    await detail.getByText("dev.millrace.subscription.test").waitFor();
    await takePictures(page, "integrations-delivery");
    await page.keyboard.press("Escape");
    await page.getByText("Paused automatically").first().waitFor();
    await detail.waitFor({ state: "detached" });
    await expectAccessible(page);
    await takePictures(page, "integrations-subscription");

    const filter = page.getByRole("radiogroup", { name: "Status" });
    await filter.getByText("Gave up").click();
    await expect.poll(() => rows(page).count()).toBe(2);
    receiver.answer(() => ({ status: 204 }));
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay all failed" }).click();
    await page.getByRole("dialog", { name: "Replay all failed" }).getByRole("button", { name: "Replay deliveries" }).click();
    await page.getByText("Sent again: 1.").waitFor();
    await expect.poll(() => receiver.taken().length, { timeout: 10_000 }).toBe(2);
    await page.getByText("No deliveries with this status").waitFor();
    await filter.getByText("Delivered", { exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
    const again = receiver.arrival();
    await rows(page).last().getByRole("button", { name: "Replay Test event" }).click();
    await again;
  }

  /** It is shown once and copied, and both sign for a day. */
  async function rotatesSecret(page: Page) {
    const before = secret;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const ask = page.getByRole("dialog", { name: "Rotate secret" });
    await ask.getByText("signed with both").waitFor();
    await ask.getByRole("button", { name: "Rotate secret" }).click();
    const shown = page.getByRole("dialog", { name: "Copy the secret" });
    const after = (await shown.locator("pre").textContent()) as string;
    expect([after.startsWith("whsec_"), after === before]).toEqual([true, false]);
    await shown.getByRole("button", { name: "Copy the secret" }).click();
    await shown.getByRole("button", { name: "Copied the secret" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(after);
    await takePictures(page, "integrations-rotated");
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByText("the previous secret also signs until").waitFor();
    await expectGone(page, after);
    // The receiver still has the old secret; then it accepts the new one.
    const taken = receiver.taken().length;
    for (const known of [before, after]) {
      secret = known;
      const arrived = receiver.arrival();
      await page.getByRole("button", { name: "Send test event" }).click();
      await arrived;
    }
    expect([receiver.taken().length, receiver.forged]).toEqual([taken + 2, 0]);
    await page.reload();
    await page.getByRole("heading", { name: "failed runs" }).waitFor();
    await expectGone(page, after);
  }

  async function editsAndDeletes(page: Page) {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit failed runs" });
    await dialog.getByRole("button", { name: "Use filters instead" }).click();
    await dialog.getByRole("radiogroup", { name: "View of Filters of the subscription" }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Name").fill("to the bell");
    await dialog.getByRole("button", { name: "Save subscription" }).click();
    await page.getByRole("heading", { name: "to the bell" }).waitFor();
    expect(page.url()).toContain("to+the+bell");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete subscription" }).click();
    await page.getByText("No notifications yet").waitFor();
  }

  test("the end of a delivery shows without a reload, and while it is under way nobody asks on a timer", async () => {
    receiver = await webhookReceiver(() => secret);
    const { secret: given } = await site.call<{ secret: string }>(owner.token, "POST", `/api/v2/team/${team.name}/subscription`, {
      name: "till",
      channel: "webhook",
      target: { url: receiver.url },
    });
    secret = given;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer(() => released.then(() => ({ status: 204 })));
    // The clock has to be there before the page is.
    const page = await site.open("/api/v2/nothing", owner.token);
    await page.clock.install();
    await page.goto(`${site.address}${address}?subscription=till`);
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect.poll(() => rows(page).count()).toBe(2);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const questions = () => asked.filter((one) => one.endsWith("/delivery/query")).length;
    await page.clock.runFor(60_000);
    // One notification about the delivery may still arrive; polling would have sent forty requests.
    expect(questions()).toBeLessThan(4);
    release();
    await rows(page).last().getByText("Delivered", { exact: true }).waitFor();
    expect(questions()).toBeLessThan(8);
  }, 120_000);
});
