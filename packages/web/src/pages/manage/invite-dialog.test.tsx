import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Invitation, InvitationRules, NewInvitation } from "../../api/queries/identity/invitations.ts";
import { answerBy, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { InvitationsTable } from "./invitations-table.tsx";
import { InvitationLink, InviteDialog } from "./invite-dialog.tsx";

afterEach(cleanup);

const caller = { kind: "session", id: "user:1", name: "Ada", email: "ada@example.com", userId: "1", expirationDate: null };
const owner = { ...caller, permissions: [], teams: [{ id: "t1", name: "shop", displayName: "Shop", permissions: ["**/**"] }] };
const role = (name: string) => ({ id: name, type: "team", name, description: `Can be ${name}`, permissions: ["**/read"] });
const rules: InvitationRules = { mayInvite: true, sendsMail: false, domains: [], endsUnsandboxed: false };
const known = (more: Partial<InvitationRules> = {}, invitations: Invitation[] = []) =>
  [
    [["caller"], owner],
    [["roles"], [role("owner"), role("editor")]],
    [["team", "shop", "invitation-rules"], { ...rules, ...more }],
    [["team", "shop", "invitations"], { content: invitations }],
  ] as const;
const invitation: Invitation = {
  id: "i1",
  email: "bob@example.com",
  role: "editor",
  state: "pending",
  invitedBy: "Ada",
  creationDate: "2026-03-02T08:15:00.000Z",
  expirationDate: "2026-03-09T08:15:00.000Z",
};
const sent: NewInvitation = { ...invitation, link: "https://millrace.example.com/sign-in/invitation#mri_1" };

test("inviting needs an address; the last one needs no comma", async () => {
  answerBy({ "POST /team/shop/invitation": sent });
  const { user } = await showPage(<InviteDialog team="shop" onClose={() => {}} />, known());
  const whyNot = () => screen.getByRole("button", { name: "Invite" }).getAttribute("aria-description");
  expect(whyNot()).toBe("Enter an email address first.");
  await user.type(screen.getByRole("combobox", { name: "Email addresses" }), "ada@example.com,bob@example.com");
  await waitFor(() => expect(whyNot()).toBeNull());
  await user.clear(screen.getByRole("combobox", { name: "Email addresses" }));
  await user.type(screen.getByRole("combobox", { name: "Email addresses" }), "{Backspace}");
  await waitFor(() => expect(whyNot()).toBe("Enter an email address first."));
  await user.type(screen.getByRole("combobox", { name: "Email addresses" }), "bob@example.com");
  expect(whyNot()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Invite" }));
  await waitFor(() => expect(service.changes).toMatchObject([{ method: "POST", body: { email: "bob@example.com", role: "editor" } }]));
});

test("addresses that arrive as one text, as from the keyboard of a phone, are several", async () => {
  answerBy({
    "POST /team/shop/invitation": (body: unknown) => ({ status: 200, body: { ...sent, email: (body as { email: string }).email } }),
  });
  const { user } = await showPage(<InviteDialog team="shop" onClose={() => {}} />, known());
  fireEvent.change(screen.getByRole("combobox", { name: "Email addresses" }), {
    target: { value: "ada@example.com, Bob Brown <bob@example.com>;eve@example.com ada@example.com" },
  });
  await user.click(screen.getByRole("button", { name: "Invite" }));
  await waitFor(() =>
    expect(service.changes.map(({ body }) => (body as { email: string }).email)).toEqual([
      "ada@example.com",
      "bob@example.com",
      "eve@example.com",
    ]),
  );
});

test("email is offered only if a mail server is configured, and the allowed domains are shown", async () => {
  await showPage(<InviteDialog team="shop" onClose={() => {}} />, known());
  expect(screen.queryByLabelText("Send an email")).toBeNull();
  cleanup();
  await showPage(<InviteDialog team="shop" onClose={() => {}} />, known({ sendsMail: true, domains: ["example.com", "example.org"] }));
  expect((screen.getByLabelText("Send an email") as HTMLInputElement).checked).toBe(true);
  screen.getByText(/Only addresses in example\.com, example\.org/);
});

test("if scripts run without a sandbox, the dialog says that an invitation ends this", async () => {
  await showPage(<InviteDialog team="shop" onClose={() => {}} />, known());
  expect(screen.queryByRole("alert")).toBeNull();
  cleanup();
  await showPage(<InviteDialog team="shop" onClose={() => {}} />, known({ endsUnsandboxed: true }));
  expect(screen.getByRole("alert").textContent).toContain("Inviting someone stops scripts without a sandbox");
  expect(screen.getByRole("link", { name: "sandbox" }).getAttribute("href")).toBe("/docs/sandbox");
});

test("a link can be copied, and an email is sent only on request", async () => {
  await showPage(<InvitationLink invitation={sent} />);
  screen.getByRole("button", { name: "Copy the link for bob@example.com" });
  cleanup();
  const { user } = await showPage(<InvitationLink invitation={{ ...sent, mail: { status: "sending" } }} />);
  expect(screen.queryByText(sent.link)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show link" }));
  screen.getByText(sent.link);
});

test("open invitations show their state, and why an email failed", async () => {
  const failed = { ...invitation, mail: { status: "failed" as const, error: "550 no such mailbox" } };
  const expired = { ...invitation, id: "i2", email: "eve@example.com", state: "expired" as const };
  await showPage(<InvitationsTable team="shop" />, known({}, [failed, expired]));
  screen.getByText("Email failed: 550 no such mailbox");
  screen.getByText("Expired");
  screen.getByRole("button", { name: "Send again to bob@example.com" });
  screen.getByRole("button", { name: "New link for eve@example.com" });
  screen.getByRole("button", { name: "Revoke the invitation of eve@example.com" });
});

test("without invitations there is no table", async () => {
  await showPage(<InvitationsTable team="shop" />, known());
  expect(screen.queryByRole("region")).toBeNull();
});
