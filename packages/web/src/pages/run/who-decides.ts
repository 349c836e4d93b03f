import type { Caller } from "../../api/permissions.ts";
import type { components } from "../../api/schema.generated.ts";
import { t } from "../../texts/run.ts";

type Action = components["schemas"]["Action"];
type Team = components["schemas"]["Team"];

/** As the service decides it: undefined when the caller may vote on the action, else why not and who may. */
export function whyNoVote(
  action: Pick<Action, "actioners" | "approverGroupRef" | "approverGroupName" | "approverRefs" | "requesterMayNotApprove">,
  caller: Pick<Caller, "id" | "userId" | "kind">,
  more: { mayAct: boolean; groups: Team["approverGroups"] | undefined; initiatedBy: string | undefined },
): string | undefined {
  if (action.actioners.some(({ approverId }) => approverId === caller.id || `user:${approverId}` === caller.id))
    return t("whoDecides.haveAlreadyVoted");
  if (action.approverGroupRef !== null) {
    const group = more.groups?.find(({ id }) => id === action.approverGroupRef);
    const isIn = group?.approvers?.some(({ id }) => id === caller.userId) ?? false;
    if (!isIn) return onlyMembersText(action.approverGroupName ?? t("whoDecides.deletedGroup"), group?.approvers);
    if (action.approverRefs?.every((id) => id !== caller.userId))
      return t("whoDecides.joinedAfterApprovalWas", { approverGroupName: String(action.approverGroupName) });
  } else if (!more.mayAct) {
    return t("whoDecides.voteNeedPermissionAction");
  }
  if (action.requesterMayNotApprove && more.initiatedBy === caller.id) return t("whoDecides.startedRunSoSomebody");
  if (caller.kind !== "session" && more.initiatedBy === caller.id) return t("whoDecides.startedRunSignedToken");
  return undefined;
}

type Approvers = NonNullable<Team["approverGroups"]>[number]["approvers"];

function onlyMembersText(group: string, approvers: Approvers | undefined): string {
  const names = (approvers ?? []).map(({ name, email }) => name || email).filter(Boolean);
  if (names.length === 0) return t("whoDecides.onlyMembers", { group });
  const first = names.slice(0, 5).join(", ");
  const more = names.length - 5;
  return t("whoDecides.onlyMembersNamed", { group, names: more > 0 ? t("whoDecides.namesAndMore", { names: first, more }) : first });
}
