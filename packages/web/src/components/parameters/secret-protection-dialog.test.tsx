import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { SecretProtectionDialog } from "./secret-protection-dialog.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.byEnd.clear();
});

const groups = [{ id: "g", name: "security", creationDate: "2026-01-01T00:00:00Z", approvers: [{ id: "1", name: "Ana" }] }];
const workflows = [{ ref: "w", name: "release", version: 3, approved: false }];
const off = { protected: false, approverGroupRef: null, approverGroupName: null, approvalsRequired: null, workflows };
const on = { protected: true, approverGroupRef: "g", approverGroupName: "security", approvalsRequired: 1, workflows };

interface Given {
  protection?: object;
  permissions?: string[];
  approverGroups?: object[];
  /** The service responds when this resolves. */
  until?: Promise<unknown>;
}

/** Renders the dialog; also returns how often it was closed. */
async function showDialog({ protection = off, permissions = ["**/**"], approverGroups = groups, until = Promise.resolve() }: Given = {}) {
  const closed = { times: 0 };
  service.byEnd.set("/deploy-key/protection", async (sent) => {
    await until;
    if (sent !== undefined) service.sent.push(sent);
    return { status: 200, body: sent === undefined ? protection : on };
  });
  const dialog = <SecretProtectionDialog team="hawks" name="deploy-key" onClose={() => closed.times++} />;
  const { user } = await showPage(dialog, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
    [teamQuery("hawks").queryKey, { name: "hawks", approverGroups }],
  ]);
  return { user, closed, box: await screen.findByRole("dialog", { name: "Protection of deploy-key" }) };
}

const refuse = (status: number, body: object) => service.byEnd.set("/deploy-key/protection", () => ({ status, body: { status, ...body } }));

test("is one dialog while it loads, and the focus stays inside", async () => {
  let resolve = () => {};
  const answer = new Promise<void>((done) => {
    resolve = done;
  });
  const { box, user } = await showDialog({ until: answer });
  expect(within(box).getByRole("status", { name: "Loading protection…" })).toBeTruthy();
  expect(within(box).queryByRole("combobox")).toBeNull();
  await waitFor(() => expect(box.contains(document.activeElement)).toBe(true));
  await act(async () => resolve());
  expect(await within(box).findByRole("combobox", { name: /Approver group/ })).toBeTruthy();
  expect(screen.getAllByRole("dialog")).toEqual([box]);
  expect(box.contains(document.activeElement)).toBe(true);
  for (let step = 0; step < 6; step++) {
    await user.tab();
    expect(box.contains(document.activeElement)).toBe(true);
  }
});

test("an owner protects the secret, and approves the workflows that use it", async () => {
  const { box, user, closed } = await showDialog();
  expect(await within(box).findByText("Used by release")).toBeTruthy();
  const protect = within(box).getByRole("button", { name: "Protect secret" });
  await user.click(protect);
  const choice = within(box).getByRole("combobox", { name: /Approver group/ });
  expect(faultOf(choice)).toBe("Choose who approves.");
  await user.click(choice);
  await user.click(screen.getByRole("option", { name: "security", hidden: true }));
  await user.click(within(box).getByRole("checkbox", { name: "Approve the workflows that use it now" }));
  await user.click(protect);
  await waitFor(() => expect(closed.times).toBe(1));
  expect(service.sent).toEqual([{ approverGroup: "g", approvalsRequired: 1, approveCurrent: true }]);
});

test("without a group of the team it says where one is created", async () => {
  const { box } = await showDialog({ approverGroups: [] });
  expect((await within(box).findByRole("link", { name: "Approver groups" })).getAttribute("href")).toBe("/hawks/manage/approvers");
});

test("errors of the service are shown at their fields", async () => {
  const { box, user, closed } = await showDialog({ protection: on });
  const approvals = await within(box).findByRole("textbox", { name: /Approvals required/ });
  await user.clear(approvals);
  await user.type(approvals, "3");
  refuse(400, { message: "No.", errors: [{ path: "/approvalsRequired", message: "the group has one" }] });
  await user.click(within(box).getByRole("button", { name: "Save protection" }));
  await waitFor(() => expect(faultOf(approvals)).toBe("the group has one"));
  expect(closed.times).toBe(0);
});

test("is turned off after a confirmation, which shows errors", async () => {
  const { box, user, closed } = await showDialog({ protection: on });
  expect(await within(box).findByText("Runs of these workflows are refused until they are approved: release")).toBeTruthy();
  await user.click(within(box).getByRole("button", { name: "Turn off protection" }));
  const question = await screen.findByRole("dialog", { name: "Turn off the protection of deploy-key" });
  const turnOff = within(question).getByRole("button", { name: "Turn off protection" });
  refuse(409, { message: "Someone else changes the team." });
  await user.click(turnOff);
  expect(await within(question).findByText("Someone else changes the team.")).toBeTruthy();
  expect(closed.times).toBe(0);
  refuse(200, off);
  await user.click(turnOff);
  await waitFor(() => expect(closed.times).toBe(1));
  expect(service.sent).toEqual([]);
});

test("an editor sees who approves, and why they can't change it", async () => {
  const { box } = await showDialog({ protection: on, permissions: ["**/read", "**/write"] });
  expect(await within(box).findByText("Versions that use it need one approval from security")).toBeTruthy();
  for (const name of ["Save protection", "Turn off protection"])
    expect(within(box).getByRole("button", { name }).getAttribute("aria-description")).toContain("team/grant");
});
