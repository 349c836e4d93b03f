import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/teams.ts";
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
    <section aria-label="Who can decide">
      <Title order={2} mb={4}>
        Who can decide
      </Title>
      <Text size="sm" className="quiet" mb={4}>
        {action.approverGroupRef
          ? `Everyone who was in the approver group ${action.approverGroupName ?? "that was deleted"} when this was opened, whatever their role`
          : "Editors and owners of the team, and tokens with the permission to act on actions"}
        {action.requesterMayNotApprove && ", except the person who started the run"}
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

function stateOf(approved: boolean | undefined, isBarred: boolean): string {
  if (isBarred) return "started the run";
  if (approved === undefined) return "";
  return approved ? "approved" : "rejected";
}
