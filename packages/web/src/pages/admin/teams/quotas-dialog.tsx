import { NumberInput, SimpleGrid } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { components } from "@millrace/client/schema.generated.ts";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/identity/session.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/settings/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { RefusalText } from "../../../ui/state/refusal-alert.tsx";

type QuotaName = keyof components["schemas"]["Quotas"];

interface QuotaField {
  name: QuotaName;
  label: string;
  description: string;
  min: number;
  suffix?: string;
}

/** The quotas of a team, with their labels. */
const quotaFields: readonly QuotaField[] = [
  { name: "maxWorkflowCount", label: t("quotasDialog.workflows"), description: t("quotasDialog.maximumNumberWorkflows"), min: 0 },
  {
    name: "maxWorkflowRunMonthly",
    label: t("quotasDialog.runsPerMonth"),
    description: t("quotasDialog.maximumNumberRunsSubmitted"),
    min: 0,
  },
  { name: "maxConcurrentRuns", label: t("quotasDialog.concurrentRuns"), description: t("quotasDialog.furtherRunsQueuedRuns"), min: 0 },
  { name: "maxWaitingRuns", label: t("quotasDialog.waitingRuns"), description: t("quotasDialog.runsStartedOnlyWait"), min: 0 },
  {
    name: "maxWorkflowRunDuration",
    label: t("quotasDialog.activeTimeRun"),
    description: t("quotasDialog.waitingDoesntCountLonger"),
    min: 1,
    suffix: ` ${t("quotasDialog.min")}`,
  },
  {
    name: "maxWorkflowStorage",
    label: t("quotasDialog.workspaceWorkflow"),
    description: t("quotasDialog.limitEachWorkspaceKept"),
    min: 0,
    suffix: ` ${t("quotasDialog.gib")}`,
  },
  {
    name: "maxWorkflowRunStorage",
    label: t("quotasDialog.workspaceRun"),
    description: t("quotasDialog.limitEachWorkspaceSingle"),
    min: 0,
    suffix: ` ${t("quotasDialog.gib")}`,
  },
];

type Limits = Record<QuotaName, number | string>;

/** The quotas of one team. Without its own, a team has the defaults of the instance. */
export function QuotasDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const rights = useRights(team.name);
  const path = { team: team.id };
  const form = useForm<Limits>({
    initialValues: Object.fromEntries(quotaFields.map(({ name }) => [name, team.quotas[name] ?? ""])) as Limits,
  });
  const save = useApiMutation({
    changes: ["teams"],
    mutationFn: (limits: Limits) => call(api.PATCH("/api/v2/team/{team}", { params: { path }, body: { quotas: changed(team, limits) } })),
  });
  const reset = useApiMutation({
    changes: ["teams"],
    mutationFn: () => call(api.DELETE("/api/v2/team/{team}/quotas", { params: { path } })),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t("quotasDialog.quotas", { displayName: team.displayName || team.name })}
      size="lg"
      form={form}
      action={t("quotasDialog.saveQuotas")}
      places={Object.fromEntries(quotaFields.map(({ name }) => [`/quotas/${name}`, name]))}
      onSubmit={save.mutateAsync}
      onClose={onClose}
      aside={
        <ActionButton
          variant="subtle"
          px={0}
          whyNot={rights.whyNot("team/delete")}
          loading={reset.isPending}
          onClick={() => reset.mutate()}
        >
          {t("quotasDialog.useInstanceDefaults")}
        </ActionButton>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        {quotaFields.map(({ name, label, description, suffix, min }) => (
          <NumberInput
            key={name}
            {...{ label, description, min }}
            suffix={suffix ?? ""}
            max={2_000_000_000}
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
      <RefusalText error={reset.error} />
    </FormDialog>
  );
}

/** Only changed values: a quota that wasn't edited keeps following the instance's default. */
function changed(team: Team, limits: Limits): Partial<Record<QuotaName, number>> {
  const entries = quotaFields.map(({ name }) => [name, limits[name]] as const);
  return Object.fromEntries(entries.filter(([name, value]) => typeof value === "number" && value !== team.quotas[name]));
}
