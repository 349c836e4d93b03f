import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webhookReceiver } from "../../../server/test/fakes/webhook-receiver.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("subscriptions and their deliveries", async () => {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });

  /** A team that sends its events to a receiver; its owner's page of the subscription. */
  async function subscribed(name = "to the till") {
    const team = await site.make.team();
    const owner = await site.make.member(team.id, "owner");
    let secret = "";
    const receiver = await webhookReceiver(() => secret);
    const api = `/api/v2/team/${team.name}/subscription`;
    const made = await site.call<{ id: string; secret: string }>(owner.token, "POST", api, {
      name,
      channel: "webhook",
      target: { url: receiver.url },
    });
    secret = made.secret;
    const path = `/${team.name}/integrations?subscription=${encodeURIComponent(name)}`;
    const use = (next: string) => {
      secret = next;
    };
    return { team, owner, receiver, made, use, api: `${api}/${made.id}`, path };
  }

  const rows = (page: Page) => page.getByRole("region", { name: "Deliveries" }).getByRole("row");

  test("an editor rotates the secret, which is shown once and copied, and both sign for a day", async () => {
    const { team, receiver, made, use, path } = await subscribed();
    const page = await site.openAs("editor", team, path);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const ask = page.getByRole("dialog", { name: "Rotate secret" });
    await ask.getByText("signed with both").waitFor();
    await expectAccessible(page);
    await ask.getByRole("button", { name: "Rotate secret" }).click();
    const shown = page.getByRole("dialog", { name: "Copy the secret" });
    const secret = (await shown.locator("pre").textContent()) as string;
    expect([secret.startsWith("whsec_"), secret === made.secret]).toEqual([true, false]);
    await shown.getByRole("button", { name: "Copy the secret" }).click();
    await shown.getByRole("button", { name: "Copied the secret" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    await takePictures(page, "integrations-rotated");
    await expectAccessible(page);
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByText("the previous secret also signs until").waitFor();
    expect(await page.content()).not.toContain(secret);
    // The receiver still has the old secret; then it accepts the new one.
    for (const known of [made.secret, secret]) {
      use(known);
      const arrived = receiver.arrival();
      await page.getByRole("button", { name: "Send test event" }).click();
      await arrived;
    }
    expect([receiver.taken().length, receiver.forged]).toEqual([2, 0]);
    await page.reload();
    await page.getByRole("heading", { name: "to the till" }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test("the log of deliveries is filtered by their outcomes, in the address; one and all of the given-up ones are replayed", async () => {
    const { owner, receiver, api, path } = await subscribed();
    const test = () => site.call(owner.token, "POST", `${api}/test`);
    receiver.answer(() => ({ status: 204 }));
    await test();
    await expect.poll(() => receiver.taken().length).toBe(1);
    receiver.answer(() => ({ status: 410, body: "closed for today" }));
    await test();
    const page = await site.open(path, owner.token);
    await page.getByText("Paused automatically").first().waitFor();
    await expect.poll(() => rows(page).count()).toBe(3);
    const filter = page.getByRole("radiogroup", { name: "Status" });
    await filter.getByText("Gave up").click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(page.url()).toContain("status=dead");
    await takePictures(page, "integrations-deliveries-filtered");
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(2);
    await filter.getByText("Queued").click();
    await page.getByText("No deliveries with this status").waitFor();
    await expectAccessible(page);

    receiver.answer(() => ({ status: 204 }));
    await page.getByRole("button", { name: "Resume" }).click();
    await filter.getByText("Gave up").click();
    await page.getByRole("button", { name: "Replay all failed" }).click();
    const ask = page.getByRole("dialog", { name: "Replay all failed" });
    await expectAccessible(page);
    await ask.getByRole("button", { name: "Replay deliveries" }).click();
    await page.getByText("Sent again: 1.").waitFor();
    await expect.poll(() => receiver.taken().length).toBe(2);
    await page.getByText("No deliveries with this status").waitFor();
    await filter.getByText("Delivered", { exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
    const again = receiver.arrival();
    await rows(page).last().getByRole("button", { name: "Replay Test event" }).click();
    await again;
  });

  test("the end of a delivery shows without a reload, and while it is under way nobody asks on a timer", async () => {
    const { owner, receiver, path } = await subscribed();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer(() => released.then(() => ({ status: 204 })));
    const page = await site.open(path, owner.token);
    await page.clock.install();
    await page.reload();
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

  test("an event is read with all that it says, as text, and the way to it is an address", async () => {
    const { owner, receiver, api, path } = await subscribed("<b>bold</b> & co");
    receiver.answer(() => ({ status: 200, body: "<img src=x onerror=alert(1)>" }));
    await site.call(owner.token, "POST", `${api}/test`);
    const page = await site.open(path, owner.token);
    await page.getByRole("heading", { name: "<b>bold</b> & co" }).waitFor();
    await rows(page).last().getByRole("button", { name: "Test event", exact: true }).click();
    await page.getByRole("dialog", { name: "Delivery" }).getByText("<img src=x onerror=alert(1)>").waitFor();
    await page.reload();
    await page.getByRole("dialog", { name: "Delivery" }).getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await page.getByRole("dialog").locator("img").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(page.url()).not.toContain("delivery=");
  });

  test("a subscription is edited and deleted by an editor; a reader reads it and sees why neither is allowed", async () => {
    const { team, path } = await subscribed();
    const reader = await site.openAs("reader", team, path);
    for (const name of ["Delete", "Rotate secret", "Pause", "Edit", "Send test event", "Replay all failed"])
      expect([name, await reader.getByRole("button", { name, exact: true }).getAttribute("aria-description")]).toEqual([
        name,
        expect.stringContaining("integration/write"),
      ]);
    await expectAccessible(reader);
    await takePictures(reader, "integrations-reader");

    const page = await site.openAs("editor", team, path);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit to the till" });
    await dialog.getByRole("button", { name: "Use filters instead" }).click();
    await dialog.getByRole("radiogroup", { name: "View of Filters of the subscription" }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Name").fill("to the bell");
    await dialog.getByRole("button", { name: "Save subscription" }).click();
    await page.getByRole("heading", { name: "to the bell" }).waitFor();
    expect(page.url()).toContain("to+the+bell");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Send test event" }).getAttribute("aria-description")).toContain("Resume it first");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete subscription" }).click();
    await page.getByText("No notifications yet").waitFor();
  });

  test("email and chat have forms of their own, and a refusal stands in them", async () => {
    const { team, owner } = await subscribed();
    const page = await site.open(`/${team.name}/integrations`, owner.token);
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("by chat");
    await dialog.locator("label").filter({ hasText: "Email" }).click();
    await dialog.getByLabel("Addresses").fill("somebody@example.com,");
    await expectAccessible(page);
    await dialog.locator("label").filter({ hasText: "Chat" }).click();
    await dialog.getByRole("textbox", { name: "Workspace", exact: true }).fill("T0HAWKS");
    await dialog.getByRole("textbox", { name: "Channel" }).fill("C0RELEASES");
    await dialog.getByRole("button", { name: "Create subscription" }).click();
    const workspace = dialog.getByRole("textbox", { name: "Workspace", exact: true });
    await expect.poll(() => workspace.getAttribute("aria-invalid")).toBe("true");
    expect(await workspace.inputValue()).toBe("T0HAWKS");
    await takePictures(page, "integrations-chat-form");
    await expectAccessible(page);
  });
});
