import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import type { LoadedWorkflow } from "../../api/queries/workflow/workflow-draft.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { DraftProvider } from "../../editor/draft/draft-provider.tsx";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { ProtectionSection } from "./protection-section.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.answers.length = 0;
  service.byEnd.clear();
});

const loaded = { data: { name: "release", version: 1, params: [], tasks: [{ name: "ship" }] }, etag: "1" } as LoadedWorkflow;
const groups = [
  { id: "g", name: "managers", creationDate: "2026-01-01T00:00:00Z", approvers: [{ id: "1", name: "Ana", email: "ana@example.com" }] },
];
const off = { protected: false, approverGroupRef: null, approverGroupName: null, approvalsRequired: null };
const on = { protected: true, approverGroupRef: "g", approverGroupName: "managers", approvalsRequired: 1 };
const proposal = {
  ...{ actionRef: "a", status: "rejected", version: 2, author: "Bo", reason: "Ship twice", note: null },
  ...{ creationDate: "2026-01-01T00:00:00Z", endDate: "2026-01-02T00:00:00Z", canWithdraw: false },
};

/** The draft, as the designer would show it. */
function Tasks() {
  const { history, isDirty } = useDraft();
  return <output>{history.present.tasks.map(({ name }) => name).join(" ") + (isDirty ? " (not saved)" : "")}</output>;
}

interface Given {
  permissions?: string[];
  protection?: object;
  proposals?: object[];
  approverGroups?: object[];
}

function showSection({ permissions = ["**/**"], protection = off, proposals = [], approverGroups = groups }: Given = {}) {
  let now = protection;
  const answers: Record<string, (sent: unknown) => { status: number; body: object }> = {
    "/validate": () => ({ status: 200, body: [] }),
    "/release": () => ({ status: 200, body: loaded.data }),
    "/proposal": () => ({ status: 200, body: proposals }),
    "/proposal/a": () => ({
      status: 200,
      body: { ...proposal, changes: "", workflow: { ...loaded.data, tasks: [{ name: "ship" }, { name: "again" }] } },
    }),
    "/protection": (sent) => {
      if (sent !== undefined) {
        service.sent.push(sent);
        if ((sent as { approvalsRequired: number }).approvalsRequired > 1)
          return {
            status: 400,
            body: { status: 400, message: "No.", errors: [{ path: "/approvalsRequired", message: "the group has one" }] },
          };
        now = on;
      }
      return { status: 200, body: now };
    },
  };
  for (const [end, answer] of Object.entries(answers)) service.byEnd.set(end, answer);
  return showPage(
    <DraftProvider team="hawks" workflow="release" loaded={loaded} whyNotEdit={undefined}>
      <ProtectionSection team="hawks" workflow={loaded.data} />
      <Tasks />
    </DraftProvider>,
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("hawks").queryKey, { name: "hawks", approverGroups }],
    ],
  );
}

test("an owner chooses who approves, and sees what was refused beside its field", async () => {
  const { user } = await showSection();
  expect(await screen.findByText(/This workflow isn't protected/)).toBeTruthy();
  const protect = screen.getByRole("button", { name: "Protect workflow" });
  await user.click(protect);
  expect(faultOf(screen.getByRole("combobox", { name: /Approver group/ }))).toBe("Choose who approves.");
  await user.click(screen.getByRole("combobox", { name: /Approver group/ }));
  await user.click(screen.getByRole("option", { name: "managers", hidden: true }));
  const approvals = screen.getByRole("textbox", { name: /Approvals required/ });
  await user.clear(approvals);
  await user.type(approvals, "3");
  await user.click(protect);
  await waitFor(() => expect(faultOf(approvals)).toBe("the group has one"));
  await user.clear(approvals);
  await user.type(approvals, "1");
  await user.click(protect);
  const state = await screen.findByRole("region", { name: "New versions need one approval from managers" });
  expect(within(state).getByText("Approvers: Ana")).toBeTruthy();
  expect(service.sent).toEqual([
    { approverGroup: "g", approvalsRequired: 3 },
    { approverGroup: "g", approvalsRequired: 1 },
  ]);
  expect(screen.getByRole("button", { name: "Turn off protection" })).toBeTruthy();
});

test("is turned off after a confirmation, without submitting the form around it", async () => {
  const { user } = await showSection({ protection: on });
  await user.click(await screen.findByRole("button", { name: "Turn off protection" }));
  const dialog = await screen.findByRole("dialog", { name: "Turn off the protection of release" });
  await user.click(within(dialog).getByRole("button", { name: "Turn off protection" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(service.sent).toEqual([]);
});

test("an editor sees who approves, and why they can't change it", async () => {
  await showSection({ permissions: ["workflow/read", "workflow/write"], protection: on });
  expect(await screen.findByRole("region", { name: "New versions need one approval from managers" })).toBeTruthy();
  for (const name of ["Save protection", "Turn off protection"])
    expect(screen.getByRole("button", { name }).getAttribute("aria-description")).toContain("team/grant");
});

test("says that a group is needed first", async () => {
  await showSection({ approverGroups: [] });
  expect(await screen.findByRole("link", { name: "Approver groups" })).toBeTruthy();
});

test("a proposal can be withdrawn with permission, and others see who can do it", async () => {
  const waiting = { ...proposal, status: "submitted", endDate: null };
  const permissions = ["workflow/read", "workflow/write"];
  await showSection({ permissions, protection: on, proposals: [waiting] });
  const withdraw = () => screen.findByRole("button", { name: "Withdraw version 2" });
  expect((await withdraw()).getAttribute("aria-description")).toContain("Only Bo, who proposed it");
  cleanup();
  await showSection({ permissions, protection: on, proposals: [{ ...waiting, canWithdraw: true }] });
  expect((await withdraw()).getAttribute("aria-description")).toBeNull();
});

test("a rejected proposal is put in the draft again, to be changed and saved", async () => {
  const { user } = await showSection({ protection: on, proposals: [proposal] });
  expect(await screen.findByText("Ship twice")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Withdraw/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Open draft of version 2 by Bo" }));
  await waitFor(() => expect(screen.getByText("ship again (not saved)")).toBeTruthy());
});
