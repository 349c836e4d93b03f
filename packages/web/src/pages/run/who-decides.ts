import type { Caller } from "../../api/permissions.ts";
import type { components } from "../../api/schema.generated.ts";

type Action = components["schemas"]["Action"];
type Team = components["schemas"]["Team"];

/** As the service decides it: undefined when the caller may vote on the action, else why not and who may. */
export function whyNoVote(
  action: Pick<Action, "actioners" | "approverGroupRef" | "approverGroupName" | "approverRefs" | "requesterMayNotApprove">,
  caller: Pick<Caller, "id" | "userId" | "kind">,
  more: { mayAct: boolean; groups: Team["approverGroups"] | undefined; initiatedBy: string | undefined },
): string | undefined {
  if (action.actioners.some(({ approverId }) => approverId === caller.id || `user:${approverId}` === caller.id))
    return "You have already voted.";
  if (action.approverGroupRef !== null) {
    const group = more.groups?.find(({ id }) => id === action.approverGroupRef);
    const isIn = group?.approvers?.some(({ id }) => id === caller.userId) ?? false;
    if (!isIn)
      return `Only members of the approver group ${action.approverGroupName ?? "(deleted)"} can vote${membersText(group?.approvers)}.`;
    if (action.approverRefs?.every((id) => id !== caller.userId))
      return `You joined ${action.approverGroupName} after this approval was opened. You can vote on later ones.`;
  } else if (!more.mayAct) {
    return "To vote, you need the permission action/action in this team. Editors and owners have it.";
  }
  if (action.requesterMayNotApprove && more.initiatedBy === caller.id) return "You started the run, so somebody else has to decide.";
  if (caller.kind !== "session" && more.initiatedBy === caller.id)
    return "You started this run and are signed in with a token. Sign in without a token to decide.";
  return undefined;
}

type Approvers = NonNullable<Team["approverGroups"]>[number]["approvers"];

function membersText(approvers: Approvers | undefined): string {
  const names = (approvers ?? []).map(({ name, email }) => name || email).filter(Boolean);
  if (names.length === 0) return "";
  return `: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`;
}
