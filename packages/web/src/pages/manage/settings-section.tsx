import { List, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { tokensQuery } from "../../api/queries/tokens.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import classes from "./manage.module.css";
import { RetentionForm } from "./retention-form.tsx";
import { TeamForm } from "./team-form.tsx";
import type { Team } from "./team-types.ts";

/** What the team is called and how it is labelled, whether it runs, and its end. */
export function SettingsSection({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Stack gap="lg" className={classes.narrow}>
      <TeamForm key={team.id} team={team} />
      <RetentionForm key={`retention ${team.id}`} team={team} />
      <section className={classes.danger} aria-labelledby="delete-team">
        <Stack gap="xs" align="flex-start">
          <Title order={2} id="delete-team">
            Delete team
          </Title>
          <Text size="sm">Deletes its workflows, runs, schedules, parameters and tokens. Only audit records are kept.</Text>
          <ActionButton color="red.8" size="xs" whyNot={rights.whyNot("team/delete")} onClick={() => setDeleting(true)}>
            Delete team
          </ActionButton>
        </Stack>
      </section>
      <DeleteTeamDialog team={team} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Stack>
  );
}

/** Tells what goes with a team, in numbers, and has its name typed before it does. */
function DeleteTeamDialog({ team, isOpen, onClose }: { team: Team; isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const renew = useRenew();
  const navigate = useNavigate();
  const { data: tokens } = useQuery({ ...tokensQuery("team", team.name), enabled: isOpen });
  const remove = async () => {
    await call(api.DELETE("/api/v2/team/{team}", { params: { path: { team: team.name } } }));
    await navigate({ to: paths.home() });
    notifications.show({ message: `Team ${team.displayName} deleted.` });
    client.removeQueries({ queryKey: ["team"] });
    await renew(["teams", "caller", "navigation"]);
  };
  const { currentWorkflowCount, currentConcurrentRuns } = team.quotas;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${team.displayName}`}
      action="Delete team"
      isDangerous
      typeToConfirm={team.name}
      onConfirm={remove}
    >
      This can't be undone. The following is deleted immediately:
      <List size="sm" my="xs">
        <List.Item>{count(currentWorkflowCount, "workflow")}, with all runs, schedules and actions</List.Item>
        {currentConcurrentRuns > 0 && <List.Item>{count(currentConcurrentRuns, "run")} in progress, which are cancelled</List.Item>}
        <List.Item>{count(team.parameters.length, "parameter")}, secrets too</List.Item>
        {tokens !== undefined && <List.Item>{count(tokens.totalElements, "token")}: anything that uses them is rejected</List.Item>}
        <List.Item>the membership of {count(team.members.length, "member")}, who keep their accounts</List.Item>
      </List>
      The name {team.name} becomes available again. Audit records are kept.
    </ConfirmDialog>
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
