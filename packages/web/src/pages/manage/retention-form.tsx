import { NumberInput, SimpleGrid, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { t } from "../../texts/team.ts";
import { FormSection } from "../../ui/form/form-section.tsx";
import type { Team } from "./team-types.ts";

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

/** For how long the team keeps its history: fewer days than the instance, or as many. */
export function RetentionForm({ team }: { team: Team }) {
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
