import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { t } from "../../texts/team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { FormRefusal } from "../../ui/form/form-refusal.tsx";
import { useSubmission } from "../../ui/form/use-submission.ts";
import type { QuotaRow } from "./quota-rows.ts";

interface QuotaLimitProps {
  team: string;
  row: QuotaRow;
  limit: number;
  byDefault: number | undefined;
}

/** A limit, changed in place. Above the instance's default only who may change every team may set it, and the service says so. */
export function QuotaLimit(props: QuotaLimitProps) {
  const { team, row, limit } = props;
  const rights = useRights(team);
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <LimitForm {...props} onDone={() => setEditing(false)} />;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>
        {limit.toLocaleString()} {row.unit}
      </Text>
      <ActionButton
        size="compact-xs"
        variant="subtle"
        whyNot={rights.whyNot("team/write")}
        onClick={() => setEditing(true)}
        aria-label={t("quotaLimit.changeLimit", { title: row.title })}
      >
        {t("quotaLimit.change")}
      </ActionButton>
    </Group>
  );
}

function LimitForm({ team, row, limit, byDefault, onDone }: QuotaLimitProps & { onDone: () => void }) {
  const ofInstance = useRights();
  const form = useForm<{ limit: number | string }>({ initialValues: { limit } });
  const { mutateAsync } = useChangeTeam(team);
  const { submit, isPending, refusal } = useSubmission({
    form,
    onSubmit: (values) => mutateAsync({ quotas: { [row.name]: Number(values.limit) } }),
    places: { [`/quotas/${row.name}`]: "limit" },
    onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap={4} maw={280}>
        <Group gap={4} wrap="nowrap" align="flex-start">
          <NumberInput
            aria-label={t("quotaLimit.limit", { title: row.title, unit: row.unit })}
            size="xs"
            w={96}
            min={row.name === "maxWorkflowRunDuration" ? 1 : 0}
            max={2_000_000_000}
            allowDecimal={false}
            autoFocus
            {...form.getInputProps("limit")}
          />
          <Button type="submit" size="xs" loading={isPending} disabled={form.values.limit === "" || !form.isDirty()}>
            {t("quotaLimit.save")}
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            {t("quotaLimit.cancel")}
          </Button>
        </Group>
        {refusal === undefined && byDefault !== undefined && !ofInstance.may("team/write") && (
          <Text size="xs" className="quiet">
            {t("quotaLimit.upAdministratorMaySet", { byDefault })}
          </Text>
        )}
        <FormRefusal message={refusal} />
      </Stack>
    </form>
  );
}
