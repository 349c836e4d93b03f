import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, rolesQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { answerBy, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { MembersSection } from "./members-section.tsx";
import type { Team } from "./quota-rows.ts";

afterEach(cleanup);

const team = { id: "t1", name: "hawks", displayName: "Hawks", memberCount: 2, approverGroups: [] as unknown[] } as Team;
const members = [
  { id: "1", name: "Ada", email: "ada@example.com", role: "reader" },
  { id: "2", name: "Grace", email: "grace@example.com", role: "owner" },
];

/** As Ada, with these permissions in the team. */
function showMembers(permissions: string[]) {
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  return showPage(<MembersSection team={team} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", email: "ada@example.com", kind: "session", permissions: [], teams }],
    [rolesQuery.queryKey, []],
    [membersQuery("hawks", { search: "", page: 0, limit: 50 }).queryKey, { content: members, totalElements: 2, number: 0 }],
    [membersQuery("hawks", { roles: ["owner"], limit: 1 }).queryKey, { content: [], totalElements: 1 }],
    [["team", "hawks", "invitation-rules"], { mayInvite: false, sendsMail: false, domains: [], endsUnsandboxed: false }],
  ]);
}

test("a reader sees the people, and why changes are not allowed", async () => {
  const { user } = await showMembers(["**/read"]);
  screen.getByRole("row", { name: /Grace/ });
  const invite = screen.getByRole("button", { name: "Invite people" });
  expect(invite.getAttribute("aria-description")).toContain("team/grant");
  await user.click(invite);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("combobox", { name: /^Role of/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Remove grace@example.com" }).getAttribute("aria-description")).toContain("team/delete");
});

test("a member leaves the team after a confirmation, and sees the home page", async () => {
  answerBy({ "DELETE /team/hawks/leave": {} });
  const { user, address } = await showMembers(["**/read", "**/write"]);
  await user.click(screen.getByRole("button", { name: "Leave team" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Leave Hawks" }));
  expect(service.changes).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Leave team" }));
  await waitFor(() => expect(address()).toBe("/home"));
  expect(service.changes).toEqual([{ method: "DELETE", path: "/team/hawks/leave", body: undefined }]);
});
