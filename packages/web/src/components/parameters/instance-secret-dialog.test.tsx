import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { InstanceSecretDialog } from "./instance-secret-dialog.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.byEnd.clear();
});

const workflows = [{ team: "hawks", ref: "w", name: "release", version: 3, approved: false }];
const off = { protected: false, approverGroupName: null, approvalsRequired: null, workflows };
const on = { protected: true, approverGroupName: "security", approvalsRequired: 2, workflows };

async function showDialog(protection: object) {
  const closed = { times: 0 };
  service.byEnd.set("/registry/protection", (sent) => {
    if (sent !== undefined) service.sent.push(sent);
    return { status: 200, body: protection };
  });
  const { user } = await showPage(<InstanceSecretDialog name="registry" onClose={() => closed.times++} />);
  return { user, closed, box: await screen.findByRole("dialog", { name: "Protection of registry" }) };
}

test("an administrator names the group that approves in each team", async () => {
  const { box, user, closed } = await showDialog(off);
  expect(await within(box).findByText("Used by hawks/release")).toBeTruthy();
  const protect = within(box).getByRole("button", { name: "Protect secret" });
  await user.click(protect);
  const group = within(box).getByRole("textbox", { name: /Approver group/ });
  expect(faultOf(group)).toBe("Choose who approves.");
  await user.type(group, " security");
  await user.click(within(box).getByRole("checkbox", { name: "Approve the workflows that use it now" }));
  await user.click(protect);
  await waitFor(() => expect(closed.times).toBe(1));
  expect(service.sent).toEqual([{ approverGroup: "security", approvalsRequired: 1, approveCurrent: true }]);
});

test("shows errors, and is turned off after a confirmation", async () => {
  const { box, user, closed } = await showDialog(on);
  expect(await within(box).findByText("Runs of these workflows are refused until they are approved: hawks/release")).toBeTruthy();
  expect(within(box).getByRole("textbox", { name: /Approver group/ })).toHaveProperty("value", "security");
  await user.click(within(box).getByRole("button", { name: "Turn off protection" }));
  const question = await screen.findByRole("dialog", { name: "Turn off the protection of registry" });
  await user.click(within(question).getByRole("button", { name: "Turn off protection" }));
  await waitFor(() => expect(closed.times).toBe(1));
  expect(service.sent).toEqual([]);
});
