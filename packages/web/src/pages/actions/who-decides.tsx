import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/teams.ts";
import { t } from "../../texts/actions.ts";
import classes from "./action-page.module.css";

interface WhoDecidesProps {
  team: string;
  action: Action;
  requester: string | undefined;
}

/** Who may vote, and who of them has. */
export function WhoDecides({ team, action, requester }: WhoDecidesProps) {
  const { data } = useQuery(teamQuery(team));
  const group = data?.approverGroups.find(({ id }) => id === action.approverGroupRef);
  const counts = ({ id }: { id?: string | null }) => action.approverRefs?.some((one) => one === id) ?? true;
  const people = action.approverGroupRef
    ? (group?.approvers ?? []).filter(counts)
    : (data?.members ?? []).filter(({ role }) => role !== "reader");
  const barred = action.requesterMayNotApprove ? requester : undefined;
  const vote = (id: string | null | undefined) => action.actioners.find(({ approverId }) => approverId === id);
  return (
    <section aria-label={t("whoDecides.whoDecide")}>
      <Title order={2} mb={4}>
        {t("whoDecides.whoDecide")}
      </Title>
      <Text size="sm" className="quiet" mb={4}>
        {action.requesterMayNotApprove ? t("whoDecides.exceptStarter", { voters: votersText(action) }) : votersText(action)}
      </Text>
      <ul className={classes.people}>
        {people.map(({ id, name, email }) => (
          <li key={id ?? email}>
            {name || email} <span className="quiet">{stateOf(vote(id)?.approved, barred === `user:${id}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function votersText({ approverGroupRef, approverGroupName }: Action): string {
  if (!approverGroupRef) return t("whoDecides.editorsOwnersTeamTokens");
  return t("whoDecides.everyoneWhoWasApprover", { approverGroupName: approverGroupName ?? t("whoDecides.deletedGroup") });
}

function stateOf(approved: boolean | undefined, isBarred: boolean): string {
  if (isBarred) return t("whoDecides.startedRun");
  if (approved === undefined) return "";
  return approved ? "approved" : "rejected";
}
