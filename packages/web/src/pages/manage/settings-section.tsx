import { List, NumberInput, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { tokensQuery } from "../../api/queries/identity/tokens.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { useChangeTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { FormSection } from "../../ui/form/form-section.tsx";
import classes from "./manage.module.css";
import type { Team } from "./quota-rows.ts";
import { TeamForm } from "./team-form.tsx";

const kinds = [
  { kind: "runs", label: t("retentionForm.runsDays"), after: t("retentionForm.afterTheyEnd") },
  { kind: "logs", label: t("retentionForm.logsDays"), after: t("retentionForm.afterTheirRunEnds") },
  { kind: "deliveries", label: t("retentionForm.deliveriesDays"), after: t("retentionForm.afterTheyWereSent") },
] as const;
type Kind = (typeof kinds)[number]["kind"];
type Days = Record<Kind, number | "">;

const ownDays = ({ retention }: Team): Days => ({
  runs: retention.runs ?? "",
  logs: retention.logs ?? "",
  deliveries: retention.deliveries ?? "",
});

/** How long the team keeps its history: at most as long as the instance does. */
function RetentionForm({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const form = useForm({ initialValues: ownDays(team) });
  const { mutateAsync } = useChangeTeam(team.name);
  const why = rights.whyNot("team/delete");
  const save = async (days: Days) => {
    const changed = kinds.filter(({ kind }) => form.isDirty(kind));
    await mutateAsync({ retention: Object.fromEntries(changed.map(({ kind }) => [kind, days[kind] === "" ? null : days[kind]])) });
    notifications.show({ message: t("retentionForm.retentionSaved") });
  };
  return (
    <FormSection
      form={form}
      labelledBy="retention"
      action={t("retentionForm.saveRetention")}
      whyNot={why}
      places={{ "/retention/runs": "runs", "/retention/logs": "logs", "/retention/deliveries": "deliveries" }}
      onSubmit={save}
    >
      <Title order={2} id="retention">
        {t("retentionForm.retentionHistory")}
      </Title>
      <Text size="sm" className="quiet">
        {t("retentionForm.olderHistoryDeletedCant")}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        {kinds.map(({ kind, label, after }) => (
          <NumberInput
            key={kind}
            label={label}
            description={`${keptText(team.retentionInForce[kind])} ${after}`}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={t("retentionForm.instanceDefaultPlaceholder")}
            min={1}
            max={36_500}
            allowDecimal={false}
            readOnly={why !== undefined}
            {...form.getInputProps(kind)}
          />
        ))}
      </SimpleGrid>
    </FormSection>
  );
}

function keptText(days: number): string {
  if (days === 0) return t("retentionForm.nowKeptForever");
  return t("retentionForm.nowKeptDayDays", { days });
}

/** The name, labels, status and retention of the team, and its deletion. */
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

/** Shows how much will be deleted with the team, and requires its name to be typed first. */
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
            <List.Item>{t("settingsSection.membershipWhoKeepTheir", { count: count(team.memberCount, "member") })}</List.Item>
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
