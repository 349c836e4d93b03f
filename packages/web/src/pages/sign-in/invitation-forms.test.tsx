import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenInvitation } from "../../api/queries/identity/invitations.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { InvitationForms } from "./invitation-forms.tsx";
import { InvitationPage } from "./invitation-page.tsx";

const invitation: OpenInvitation = {
  team: "The Hawks <b>",
  email: "bob@example.com",
  role: "editor",
  invitedBy: "Ada",
  expirationDate: "2026-03-09T08:15:00.000Z",
  signIn: "password",
};
const show = (more: Partial<OpenInvitation> = {}, signedInAs?: string) =>
  showPage(
    <InvitationForms
      token="mri_1"
      invitation={{ ...invitation, ...more }}
      signedInAs={signedInAs}
      onJoined={async () => expect.unreachable()}
    />,
  );
const signInPath = "/sign-in?returnTo=%2Fsign-in%2Finvitation";

beforeEach(() => window.sessionStorage.clear());
afterEach(() => {
  cleanup();
  service.byEnd.clear();
  window.history.replaceState(null, "", "/");
});

test("a person without an account enters a name and a password; the address is that of the invitation", async () => {
  const { user } = await show();
  const email = screen.getByLabelText("Email address") as HTMLInputElement;
  expect([email.value, email.readOnly]).toEqual(["bob@example.com", true]);
  await user.type(screen.getByLabelText("Password"), "short");
  await user.click(screen.getByRole("button", { name: "Create account and join" }));
  await waitFor(() => expect(faultOf(screen.getByLabelText("Your name"))).toBe("Enter your name."));
  expect(faultOf(screen.getByLabelText("Password"))).toBe("Enter at least 8 characters.");
  expect(screen.getByRole("link", { name: "Sign in to accept" }).getAttribute("href")).toBe(signInPath);
});

test.each(["oidc", "proxy"] as const)("with %s nobody enters a password here", async (signIn) => {
  await show({ signIn });
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign in to accept" }).getAttribute("href")).toBe(signInPath);
});

test("the invited person accepts with one click, and anyone else signs out first", async () => {
  await show({}, "bob@example.com");
  screen.getByRole("button", { name: "Accept invitation" });
  cleanup();
  await show({}, "eve@example.com");
  expect(screen.getByRole("status").textContent).toContain("for bob@example.com, and you are signed in as eve@example.com");
  expect(screen.queryByRole("button", { name: "Accept invitation" })).toBeNull();
});

const caller = { kind: "session", id: "user:1", name: "Bob", email: "bob@example.com", userId: "1", expirationDate: null };
const known = [
  [["invitation", "mri_1"], invitation],
  [["caller"], { ...caller, permissions: [], teams: [] }],
] as const;

test("the page takes the token out of the address, keeps it for the way back, and says which team and who invited", async () => {
  window.history.replaceState(null, "", "/sign-in/invitation#mri_1");
  await showPage(<InvitationPage />, known);
  expect(window.location.href).not.toContain("mri_1");
  screen.getByRole("heading", { name: "Join The Hawks <b>" });
  screen.getByText("Ada invited you to this team. Your role: Editor.");
  cleanup();
  await showPage(<InvitationPage />, known);
  screen.getByRole("button", { name: "Accept invitation" });
});

test("without a token the page says what to do", async () => {
  await showPage(<InvitationPage />, known);
  screen.getByRole("heading", { name: "This link is incomplete" });
  screen.getByText(/copy all of it/);
});

test.each([
  ["INVITATION_USED", "This invitation was already used", /If you have accepted it, sign in/],
  ["INVITATION_REVOKED", "This invitation was revoked", /ask the person who invited you/],
  ["INVITATION_EXPIRED", "This invitation has expired", /valid for a week/],
  ["UNAUTHENTICATED", "This link doesn't work any more", /Open the newest link/],
])("of an invitation that is %s, the page says what happened and what to do", async (reason, title, help) => {
  service.byEnd.set("/invitation/read", () => ({ status: 409, body: { status: 409, reason, message: "of the service" } }));
  window.history.replaceState(null, "", "/sign-in/invitation#mri_2");
  await showPage(<InvitationPage />, [known[1]]);
  await screen.findByRole("heading", { name: title });
  expect(screen.getByRole("alert").textContent).toMatch(help);
  expect(screen.queryByRole("link", { name: "Sign in" })?.getAttribute("href")).toBe(reason === "INVITATION_USED" ? "/sign-in" : undefined);
});

test("an invitation that could not be loaded is not called invalid, and loading can be retried", async () => {
  const answers = [
    { status: 500, body: {} },
    { status: 200, body: invitation },
  ];
  service.byEnd.set("/invitation/read", () => answers.shift()!);
  window.history.replaceState(null, "", "/sign-in/invitation#mri_3");
  const { user } = await showPage(<InvitationPage />, [known[1]]);
  await screen.findByRole("heading", { name: "Couldn't load the invitation" });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("heading", { name: "Join The Hawks <b>" });
});
