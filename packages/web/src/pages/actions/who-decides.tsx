import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { type Approver, delegatesOf } from "../../components/actions/vote-rule.ts";
import { t } from "../../texts/actions.ts";
import classes from "./action-page.module.css";

/** A team may have thousands of voters. */
const votersListed = 50;

interface WhoDecidesProps {
  team: string;
  action: Action;
  requester: string | undefined;
}

/** Lists who may vote and who already has: the approver group or the team, and those who got a vote from them. */
export function WhoDecides({ team, action, requester }: WhoDecidesProps) {
  const { data } = useQuery(teamQuery(team));
  const groups = data?.approverGroups ?? [];
  const counts = ({ id }: Approver) => action.approverRefs?.some((one) => one === id) ?? true;
  const isForGroup = Boolean(action.approverGroupRef);
  const { data: voters } = useQuery({
    ...membersQuery(team, { roles: ["owner", "editor"], limit: votersListed }),
    enabled: !isForGroup,
  });
  const group = groups.find(({ id }) => id === action.approverGroupRef);
  const people: readonly Approver[] = isForGroup ? (group?.approvers ?? []).filter(counts) : (voters?.content ?? []);
  const delegates = delegatesOf(action, groups).filter(({ id }) => !people.some((one) => one.id === id));
  const named = delegates.filter(({ name, email }) => name || email).slice(0, votersListed);
  const more = (isForGroup ? 0 : (voters?.totalElements ?? 0) - people.length) + delegates.length - named.length;
  const title = t(action.status === "submitted" ? "whoDecides.whoDecide" : "whoDecides.whoDecided");
  const barred = action.requesterMayNotApprove ? requester : undefined;
  return (
    <section aria-label={title}>
      <Title order={2} mb={4}>
        {title}
      </Title>
      <Text size="sm" className="quiet" mb={4}>
        {action.requesterMayNotApprove
          ? t(action.type === "publish" ? "whoDecides.exceptAuthor" : "whoDecides.exceptStarter", { voters: votersText(action) })
          : votersText(action)}
      </Text>
      <ul className={classes.people}>
        {[...people, ...named].map(({ id, name, email }) => (
          <li key={id ?? email}>
            {name || email} <span className="quiet">{stateOf(action, id, barred)}</span>
          </li>
        ))}
        {more > 0 && <li className="quiet">{t("whoDecides.more", { more })}</li>}
      </ul>
    </section>
  );
}

function votersText({ approverGroupRef, approverGroupName }: Action): string {
  if (!approverGroupRef) return t("whoDecides.editorsOwnersTeamTokens");
  return t("whoDecides.everyoneWhoWasApprover", { approverGroupName: approverGroupName ?? t("whoDecides.deletedGroup") });
}

/** What is said beside the name of a person; nothing of those who have yet to vote in their own right. */
function stateOf({ actioners, delegatorRefs, delegateRefs, history = [] }: Action, id: Approver["id"], barred: string | undefined): string {
  if (id == null) return "";
  const vote = actioners.find(({ approverId }) => approverId === id);
  if (vote) return t(vote.approved ? "whoDecides.approved" : "whoDecides.rejected");
  if (delegatorRefs.includes(id)) return t("whoDecides.delegated");
  if (barred === `user:${id}`) return t("whoDecides.startedRun");
  if (!delegateRefs.includes(id)) return "";
  const from = history.findLast(({ delegateRefs: to }) => to?.includes(id))?.principalName;
  return from === undefined ? "" : t("whoDecides.votesFor", { name: from });
}
