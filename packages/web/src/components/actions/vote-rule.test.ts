import { expect, test } from "vitest";
import type { Action } from "../../api/queries/actions.ts";
import { stillNeeded, whyNotVote } from "./vote-rule.ts";

const open: Action = {
  ...{
    id: "a",
    workflowRef: "w",
    workflowName: "release",
    workflowDisplayName: "",
    workflowRunRef: "r",
    taskRunRef: "t",
    taskName: "ask",
    teamName: "hawks",
  },
  ...{ type: "approval", status: "submitted", creationDate: "2026-01-01T00:00:00Z", reminderCount: 0, requesterMayNotApprove: false },
  ...{ escalateAfter: null, escalateToRef: null, escalateToName: null, escalationDate: null, escalated: false },
  ...{ title: null, fieldCount: 0, fields: [], links: [], delegatorRefs: [], delegateRefs: [] },
  ...{ instructions: null, deadline: null, reminder: null, reminderDate: null },
  ...{
    numberOfApprovers: 2,
    approvalsRequired: 2,
    numberOfApprovals: 0,
    approverGroupRef: null,
    approverGroupName: null,
    approverRefs: null,
    actioners: [],
  },
};
const editor = { id: "user:1", userId: "1", mayAct: true, isByToken: false };
const reader = { id: "user:2", userId: "2", mayAct: false, isByToken: false };
const group = { id: "g", name: "leads", creationDate: "2026-01-01T00:00:00Z", approvers: [{ id: "2", email: "two@example.com" }] };
const team = { approverGroups: [group] };
const grouped = { ...open, approverGroupRef: "g", approverGroupName: "leads", approverRefs: ["2"] };
const vote = { approverId: "1", date: "2026-01-01T00:00:00Z", approved: true };

test.each([
  ["an editor votes where no group is named", open, editor, undefined],
  ["a reader does not", open, reader, /action\/action/],
  ["a reader in the group votes", grouped, reader, undefined],
  ["who joined it after the action was opened does not", { ...grouped, approverRefs: ["3"] }, reader, /joined leads after/],
  ["an editor outside of the group does not", grouped, editor, /group leads decides: two@example.com/],
  [
    "an editor sees who has the delegated vote instead",
    {
      ...{ ...grouped, delegatorRefs: ["2"], delegateRefs: ["3"] },
      history: [{ kind: "delegation" as const, date: vote.date, delegatedTo: "Cara", delegateRefs: ["3"] }],
    },
    editor,
    /group leads decides: Cara\./,
  ],
  ["nobody votes for a group that is gone", { ...grouped, approverGroupName: null }, reader, /was deleted/],
  ["a person to whom a vote was delegated votes", { ...grouped, delegateRefs: ["1"] }, editor, undefined],
  ["a person who delegated the vote does not", { ...grouped, delegatorRefs: ["2"] }, reader, /delegated your vote/],
  ["nobody votes twice", { ...open, actioners: [vote] }, editor, /voted on this already/],
  ["nobody votes when it is over", { ...open, status: "approved" as const }, editor, /already approved/],
  [
    "who started the run is kept out",
    { ...open, requesterMayNotApprove: true },
    { ...editor, requester: "user:1" },
    /You started this run/,
  ],
  [
    "a token of the person who started the run does not",
    open,
    { ...editor, requester: "user:1", isByToken: true },
    /signed in with a token/,
  ],
  ["others are not", { ...open, requesterMayNotApprove: true }, { ...editor, requester: "user:3" }, undefined],
])("%s", (_, action, voter, why) => {
  const answer = whyNotVote(action, voter, team);
  if (why === undefined) expect(answer).toBeUndefined();
  else expect(answer).toMatch(why);
});

test.each([
  [{}, "2 of 2 approvals are still needed."],
  [{ numberOfApprovals: 1 }, "1 of 2 approvals is still needed."],
  [{ approvalsRequired: 1 }, "One approval is needed."],
  [{ status: "rejected" as const }, "No further votes are needed."],
])("%j: %s", (patch, text) => {
  expect(stillNeeded({ ...open, ...patch })).toBe(text);
});
