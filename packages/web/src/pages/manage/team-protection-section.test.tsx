import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import type { Team } from "./quota-rows.ts";
import { TeamProtectionSection } from "./team-protection-section.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.byEnd.clear();
});

const group = (id: string, name: string) => ({ id, name, creationDate: "2026-01-01T00:00:00Z", approvers: [{ id: "1", name: "Ana" }] });
const by = (name: string) => ({ approverGroupRef: "o", approverGroupName: name, approvalsRequired: 2 });
const none = { protected: false, approverGroupRef: null, approverGroupName: null, approvalsRequired: null };
const some = { protected: true, approverGroupRef: "g", approverGroupName: "managers", approvalsRequired: 1 };
const own = { workflows: [{ ref: "w", name: "release", ...by("others") }], secrets: [{ name: "deploy-key", ...by("security") }] };

async function showSection({ permissions = ["**/**"], approverGroups = [group("g", "managers")], isOn = false } = {}) {
  let now: object = { ...(isOn ? some : none), ...own };
  service.byEnd.set("/protection", (sent) => {
    if (sent === undefined) return { status: 200, body: now };
    service.sent.push(sent);
    if ((sent as { approvalsRequired: number }).approvalsRequired > 1)
      return { status: 400, body: { status: 400, message: "No.", errors: [{ path: "/approvalsRequired", message: "the group has one" }] } };
    now = { ...some, ...own };
    return { status: 200, body: now };
  });
  const team = { name: "hawks", displayName: "Hawks", approverGroups } as Team;
  return showPage(<TeamProtectionSection team={team} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
    [teamQuery("hawks").queryKey, team],
  ]);
}

const texts = (row: HTMLElement) =>
  within(row)
    .getAllByRole("cell", { hidden: true })
    .map(({ textContent }) => textContent);

test("an owner protects all workflows, and sees what was refused beside its field", async () => {
  const { user } = await showSection();
  expect(await screen.findByText(/aren't protected together/)).toBeTruthy();
  const protect = screen.getByRole("button", { name: "Protect all workflows" });
  await user.click(protect);
  const choice = screen.getByRole("combobox", { name: /Approver group/ });
  expect(faultOf(choice)).toBe("Choose who approves.");
  await user.click(choice);
  await user.click(screen.getByRole("option", { name: "managers", hidden: true }));
  const approvals = screen.getByRole("textbox", { name: /Approvals required/ });
  await user.clear(approvals);
  await user.type(approvals, "3");
  await user.click(protect);
  await waitFor(() => expect(faultOf(approvals)).toBe("the group has one"));
  await user.clear(approvals);
  await user.type(approvals, "1");
  await user.click(protect);
  const state = await screen.findByRole("region", { name: "New versions of all workflows need one approval from managers" });
  expect(within(state).getByText("Approvers: Ana")).toBeTruthy();
  expect(service.sent.map((sent) => (sent as { approvalsRequired: number }).approvalsRequired)).toEqual([3, 1]);
});

test("says what is covered, and leads to what has a protection of its own", async () => {
  await showSection({ isOn: true });
  const rows = (await screen.findAllByRole("row")).slice(1);
  expect(rows.map(texts)).toEqual([
    ["Workflow release", "others", "2"],
    ["All other workflows, new ones too", "managers", "1"],
    ["Secret deploy-key", "security", "2"],
  ]);
  expect(screen.getByRole("link", { name: "Workflow release" }).getAttribute("href")).toBe("/hawks/workflows/release/configure/protection");
  expect(screen.getByRole("link", { name: "Secret deploy-key" }).getAttribute("href")).toBe("/hawks/parameters");
});

test("is turned off after a confirmation, without submitting the form", async () => {
  const { user } = await showSection({ isOn: true });
  await user.click(await screen.findByRole("button", { name: "Turn off protection" }));
  const dialog = await screen.findByRole("dialog", { name: "Turn off the protection of all workflows" });
  await user.click(within(dialog).getByRole("button", { name: "Turn off protection" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(service.sent).toEqual([]);
});

test("an editor sees who approves, and why they can't change it", async () => {
  await showSection({ isOn: true, permissions: ["**/read", "**/write"] });
  for (const name of ["Save protection", "Turn off protection"])
    expect((await screen.findByRole("button", { name })).getAttribute("aria-description")).toContain("team/grant");
});

test("without an approver group it says where one is created", async () => {
  await showSection({ approverGroups: [] });
  expect((await screen.findByRole("link", { name: "Approver groups" })).getAttribute("href")).toBe("/hawks/manage/approvers");
});
