import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import type { Delivery, Subscription } from "../../api/queries/integrations.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { SubscriptionSection } from "./subscription-section.tsx";

afterEach(cleanup);

const subscription = {
  ...{ id: "s1", name: "<b>bold</b> & co", channel: "webhook", target: { url: "https://example.com/" }, filters: [] },
  ...{ isActive: true, hiddenValue: true, creationDate: "2026-01-01T00:00:00Z", changeDate: "2026-01-01T00:00:00Z" },
} as unknown as Subscription;
const delivery = {
  ...{ id: "d1", status: "delivered", attempts: 1, answerStatus: 200, answer: "<img src=x onerror=alert(1)>" },
  ...{ creationDate: "2026-01-01T00:00:00Z", event: { type: "dev.millrace.subscription.test", data: {} } },
} as unknown as Delivery;

interface Given {
  permissions?: string[];
  at?: string;
  subscriptions?: Subscription[];
}

/** @returns the statuses of the deliveries that were asked for */
async function showSection({ permissions = ["**/**"], at = "", subscriptions = [subscription] }: Given = {}) {
  const asked: (string | null)[] = [];
  answerBy({
    "/subscription/query": { content: subscriptions, totalElements: subscriptions.length },
    "/delivery/query": (_, { searchParams }) => {
      const statuses = searchParams.get("statuses");
      asked.push(statuses);
      const content = statuses === null || statuses === delivery.status ? [delivery] : [];
      return { status: 200, body: { content, totalElements: content.length } };
    },
  });
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  const shown = await showPage(
    <SubscriptionSection team="hawks" />,
    [[callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }]],
    `/hawks/integrations${at}`,
    "/$team/integrations",
  );
  return { ...shown, asked };
}

const described = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-description");
const opened = "?subscription=s1";

test("the log is filtered by the outcome in the address, which the filter changes", async () => {
  const { user, asked, address } = await showSection({ at: `${opened}&status=dead` });
  await screen.findByText("No deliveries with this status");
  expect(asked).toEqual(["dead"]);
  await user.click(within(screen.getByRole("radiogroup", { name: "Status" })).getByText("Delivered"));
  await screen.findByRole("button", { name: "Test event" });
  expect(asked).toEqual(["dead", "delivered"]);
  expect(address()).toContain("status=delivered");
});

test("a delivery is read with all that it says, as text, and the way to it is an address", async () => {
  const { user, address } = await showSection({ at: `${opened}&delivery=d1` });
  await screen.findByRole("heading", { name: "<b>bold</b> & co", hidden: true });
  const dialog = await screen.findByRole("dialog", { name: "Delivery" });
  expect(dialog.textContent).toContain("<img src=x onerror=alert(1)>");
  expect(dialog.querySelector("img")).toBeNull();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(address()).not.toContain("delivery=");
});

test("a reader reads it and sees why changes are not allowed", async () => {
  await showSection({ permissions: ["**/read"], at: opened });
  await screen.findByRole("heading", { name: "<b>bold</b> & co" });
  for (const name of ["Delete", "Rotate secret", "Pause", "Edit", "Send test event", "Replay all failed"])
    expect([name, described(name)]).toEqual([name, expect.stringContaining("integration/write")]);
});

test("a reader of a team without subscriptions sees why none can be created", async () => {
  await showSection({ permissions: ["**/read"], subscriptions: [] });
  await screen.findByText("No notifications yet");
  expect(described("Create subscription")).toContain("integration/write");
});

test("one that is paused sends no test event, and says what to do first", async () => {
  await showSection({ at: opened, subscriptions: [{ ...subscription, isActive: false }] });
  await screen.findByText("Paused");
  expect(described("Send test event")).toContain("Resume it first");
});

test("it is paused by one press", async () => {
  answerBy({ "PATCH /subscription/s1": { ...subscription, isActive: false } });
  const { user } = await showSection({ at: opened });
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await waitFor(() =>
    expect(service.changes).toEqual([{ method: "PATCH", path: "/team/hawks/subscription/s1", body: { isActive: false } }]),
  );
});

async function openForm(channel: string) {
  const { user } = await showSection({ subscriptions: [] });
  await user.click(await screen.findByRole("button", { name: "Create subscription" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Create subscription" }));
  await user.click(dialog.getByText(channel));
  fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: "releases" } });
  return { user, dialog, create: () => user.click(dialog.getByRole("button", { name: "Create subscription" })) };
}

test("chat has its own form; errors are shown at their fields, and the input stays", async () => {
  answerBy({ "POST /subscription": () => refusal(400, "No.", [{ path: "/target/workspace", message: "is not linked to the team" }]) });
  const { dialog, create } = await openForm("Chat");
  const workspace = dialog.getByRole<HTMLInputElement>("textbox", { name: "Workspace" });
  fireEvent.change(workspace, { target: { value: "T0HAWKS" } });
  fireEvent.change(dialog.getByRole("textbox", { name: "Channel" }), { target: { value: "C0RELEASES" } });
  await create();
  await waitFor(() => expect(faultOf(workspace)).toBe("is not linked to the team"));
  expect(workspace.value).toBe("T0HAWKS");
  expect(service.changes.map(({ body }) => body)).toMatchObject([
    { name: "releases", channel: "chat", target: { workspace: "T0HAWKS", channel: "C0RELEASES" } },
  ]);
});

test("email goes to addresses, and to the people that an event concerns", async () => {
  answerBy({ "POST /subscription": { ...subscription, name: "releases", channel: "email" } });
  const { user, dialog, create } = await openForm("Email");
  await user.type(dialog.getByRole("combobox", { name: "Addresses" }), "a@b.io,");
  await user.click(dialog.getByRole("checkbox", { name: "Everyone who can still approve" }));
  await create();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(service.changes.map(({ body }) => body)).toMatchObject([
    { name: "releases", channel: "email", target: { to: ["a@b.io"], people: ["approvers"] } },
  ]);
});
