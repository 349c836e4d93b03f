import { expect, test } from "vitest";
import { whyNoVote } from "./run-context.tsx";

const ada = { id: "user:1", userId: "1", kind: "session" as const };
const action = { actioners: [], approverGroupRef: null, approverGroupName: null, approverRefs: null, requesterMayNotApprove: false };
const more = { mayAct: true, groups: [], initiatedBy: "user:2" };
const group = { id: "g", name: "leads", creationDate: "2026-01-01T00:00:00Z", approvers: [{ id: "3", name: "Bo" }] };

test.each([
  ["may", action, more, undefined],
  ["has voted", { ...action, actioners: [{ approverId: "user:1", date: "", approved: true }] }, more, "voted"],
  ["has no right", action, { ...more, mayAct: false }, "action/action"],
  ["started the run himself", { ...action, requesterMayNotApprove: true }, { ...more, initiatedBy: "user:1" }, "somebody else"],
  [
    "is not in the group",
    { ...action, approverGroupRef: "g", approverGroupName: "leads" },
    { ...more, groups: [group] },
    "leads can vote: Bo",
  ],
  [
    "is in the group, whatever his rights",
    { ...action, approverGroupRef: "g", approverRefs: ["1"] },
    { ...more, mayAct: false, groups: [{ ...group, approvers: [{ id: "1" }] }] },
    undefined,
  ],
  [
    "joined the group after it was opened",
    { ...action, approverGroupRef: "g", approverGroupName: "leads", approverRefs: ["2"] },
    { ...more, groups: [{ ...group, approvers: [{ id: "1" }] }] },
    "joined leads after",
  ],
])("who %s", (_, given, context, why) => {
  const said = whyNoVote(given, ada, context);
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(why);
});
