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
import { t } from "../../texts/team.ts";
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
            {t("settingsSection.deleteTeam")}
          </Title>
          <Text size="sm">{t("settingsSection.deletesWorkflowsRunsSchedules")}</Text>
          <ActionButton color="red.8" size="xs" whyNot={rights.whyNot("team/delete")} onClick={() => setDeleting(true)}>
            {t("settingsSection.deleteTeam")}
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
    notifications.show({ message: t("settingsSection.teamDeleted", { displayName: team.displayName }) });
    client.removeQueries({ queryKey: ["team"] });
    await renew(["teams", "caller", "navigation"]);
  };
  const { currentWorkflowCount, currentConcurrentRuns } = team.quotas;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("settingsSection.delete", { displayName: team.displayName })}
      action={t("settingsSection.deleteTeam")}
      isDangerous
      typeToConfirm={team.name}
      onConfirm={remove}
    >
      {t.rich("settingsSection.cantUndoneFollowingDeleted", {
        list: () => (
          <List size="sm" my="xs">
            <List.Item>{t("settingsSection.allRunsSchedulesActions", { count: count(currentWorkflowCount, "workflow") })}</List.Item>
            {currentConcurrentRuns > 0 && (
              <List.Item>{t("settingsSection.progressWhichCancelled", { count: count(currentConcurrentRuns, "run") })}</List.Item>
            )}
            <List.Item>{t("settingsSection.secretsToo", { count: count(team.parameters.length, "parameter") })}</List.Item>
            {tokens !== undefined && (
              <List.Item>{t("settingsSection.anythingUsesThemRejected", { count: count(tokens.totalElements, "token") })}</List.Item>
            )}
            <List.Item>{t("settingsSection.membershipWhoKeepTheir", { count: count(team.members.length, "member") })}</List.Item>
          </List>
        ),
        name: team.name,
      })}
    </ConfirmDialog>
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
