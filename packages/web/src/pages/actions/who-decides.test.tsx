import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { showPage } from "../../ui/show-component.tsx";
import { WhoDecides } from "./who-decides.tsx";

afterEach(cleanup);

const date = "2026-01-01T00:00:00Z";
const person = (id: string, name: string) => ({ id, name, email: `${id}@example.com` });
const action: Action = {
  ...{ id: "a", workflowRef: "w", workflowName: "release", workflowDisplayName: "", workflowRunRef: "r", taskRunRef: "t", taskName: "ask" },
  ...{ teamName: "hawks", type: "approval", status: "submitted", creationDate: date, reminderCount: 0, requesterMayNotApprove: false },
  ...{ escalateAfter: null, escalateToRef: null, escalateToName: null, escalationDate: null, escalated: false },
  ...{ title: null, instructions: null, links: [], deadline: null, reminder: null, reminderDate: null, fields: [], fieldCount: 0 },
  ...{ numberOfApprovers: 1, approvalsRequired: 1, numberOfApprovals: 0, actioners: [], delegatorRefs: [], delegateRefs: [] },
  ...{ approverGroupRef: "g", approverGroupName: "leads", approverRefs: ["1", "2"] },
};
const groups = [
  { id: "g", name: "leads", creationDate: date, approvers: [person("1", "Ada"), person("2", "Bob"), person("3", "Late")] },
  { id: "h", name: "others", creationDate: date, approvers: [person("5", "Eve")] },
];
const team = [teamQuery("hawks").queryKey, { name: "hawks", approverGroups: groups }] as const;
const delegation = (from: string, to: string, delegateRefs: string[]) => ({
  ...{ kind: "delegation" as const, date },
  ...{ principalName: from, delegatedTo: to, delegateRefs },
});

async function listed(more: Partial<Action>, requester?: string): Promise<(string | undefined)[]> {
  const members = [membersQuery("hawks", { roles: ["owner", "editor"], limit: 50 }).queryKey, { content: [], totalElements: 0 }] as const;
  await showPage(<WhoDecides team="hawks" action={{ ...action, ...more }} requester={requester} />, [team, members]);
  return screen.getAllByRole("listitem").map(({ textContent }) => textContent?.trim());
}

test("the people of the group are listed who were in it when it was opened, with their votes", async () => {
  const vote = { approverId: "2", approverName: "Bob", date, approved: true };
  expect(await listed({ actioners: [vote], requesterMayNotApprove: true }, "user:1")).toEqual(["Ada started the run", "Bob approved"]);
});

test("a delegated vote is listed with the person who has it now", async () => {
  const history = [delegation("Ada", "Cara", ["4"]), delegation("Bob", "others", ["5"])];
  expect(await listed({ delegatorRefs: ["1", "2"], delegateRefs: ["4", "5"], history })).toEqual([
    "Ada has delegated the vote",
    "Bob has delegated the vote",
    "Cara votes for Ada",
    "Eve votes for Bob",
  ]);
});

test("after the escalation its people are listed, too", async () => {
  expect(await listed({ escalated: true, delegateRefs: ["5"] })).toEqual(["Ada", "Bob", "Eve"]);
  cleanup();
  // The names of people who have left their group meanwhile are not known.
  expect(await listed({ escalated: true, delegateRefs: ["5", "8", "9"] })).toEqual(["Ada", "Bob", "Eve", "and 2 more"]);
});
