import { NumberInput, SimpleGrid } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/all-teams.ts";
import type { components } from "../../../api/schema.generated.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { RefusalText } from "../../../ui/state/refusal-text.tsx";

type QuotaName = keyof components["schemas"]["Quotas"];

interface QuotaField {
  name: QuotaName;
  label: string;
  description: string;
  min: number;
  suffix?: string;
}

/** The limits of a team in words. */
const quotaFields: readonly QuotaField[] = [
  { name: "maxWorkflowCount", label: "Workflows", description: "Maximum number of workflows", min: 0 },
  { name: "maxWorkflowRunMonthly", label: "Runs per month", description: "Maximum number of runs submitted in a calendar month", min: 0 },
  { name: "maxConcurrentRuns", label: "Concurrent runs", description: "Further runs are queued. Runs that only wait don't count", min: 0 },
  { name: "maxWaitingRuns", label: "Waiting runs", description: "Runs that started and only wait. Further runs are rejected", min: 0 },
  {
    name: "maxWorkflowRunDuration",
    label: "Active time of a run",
    description: "Waiting doesn't count. Longer runs time out",
    min: 1,
    suffix: " min",
  },
  {
    name: "maxWorkflowStorage",
    label: "Workspace of a workflow",
    description: "Limit of each workspace kept between runs",
    min: 0,
    suffix: " GiB",
  },
  {
    name: "maxWorkflowRunStorage",
    label: "Workspace of a run",
    description: "Limit of each workspace of a single run",
    min: 0,
    suffix: " GiB",
  },
];

type Limits = Record<QuotaName, number | string>;

/** The limits of one team; without own ones it has those of the instance. */
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
      title={`Quotas of ${team.displayName || team.name}`}
      size="lg"
      form={form}
      action="Save quotas"
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
          Use instance defaults
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

/** Only what is another than before: a limit that was left alone stays that of the instance. */
function changed(team: Team, limits: Limits): Partial<Record<QuotaName, number>> {
  const entries = quotaFields.map(({ name }) => [name, limits[name]] as const);
  return Object.fromEntries(entries.filter(([name, value]) => typeof value === "number" && value !== team.quotas[name]));
}
