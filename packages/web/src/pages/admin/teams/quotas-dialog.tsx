import { Button, Group, Modal, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { Team } from "../../../api/queries/all-teams.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/administration.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { type QuotaName, quotaFields } from "./quota-fields.ts";

type Limits = Record<QuotaName, number | string>;

/** The limits of one team; without own ones it has those of the instance. */
export function QuotasDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const rights = useRights(team.name);
  const path = { team: team.id };
  const [limits, setLimits] = useState(() => Object.fromEntries(quotaFields.map(({ name }) => [name, team.quotas[name] ?? ""])) as Limits);
  const done = { changes: ["teams"], onSuccess: onClose } as const;
  const save = useApiMutation({
    ...done,
    mutationFn: () => call(api.PATCH("/api/v2/team/{team}", { params: { path }, body: { quotas: changed(team, limits) } })),
  });
  const reset = useApiMutation({
    ...done,
    mutationFn: () => call(api.DELETE("/api/v2/team/{team}/quotas", { params: { path } })),
  });
  const refusal = save.error ?? reset.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t("quotasDialog.quotas", { displayName: team.displayName || team.name })} size="lg" centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
            {quotaFields.map(({ name, label, description, suffix, min }) => (
              <NumberInput
                key={name}
                {...{ label, description, min }}
                suffix={suffix ?? ""}
                max={2_000_000_000}
                allowDecimal={false}
                thousandSeparator=","
                value={limits[name]}
                onChange={(value) => setLimits({ ...limits, [name]: value })}
              />
            ))}
          </SimpleGrid>
          {refusal !== null && (
            <Text role="alert" size="sm" c="var(--status-failed)">
              {messageOf(refusal)}
            </Text>
          )}
          <Group justify="space-between" gap="xs">
            <ActionButton
              variant="subtle"
              px={0}
              whyNot={rights.whyNot("team/delete")}
              loading={reset.isPending}
              onClick={() => reset.mutate()}
            >
              {t("quotasDialog.useInstanceDefaults")}
            </ActionButton>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {t("quotasDialog.cancel")}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t("quotasDialog.saveQuotas")}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Only what is another than before: a limit that was left alone stays that of the instance. */
function changed(team: Team, limits: Limits): Partial<Record<QuotaName, number>> {
  const entries = quotaFields.map(({ name }) => [name, limits[name]] as const);
  return Object.fromEntries(entries.filter(([name, value]) => typeof value === "number" && value !== team.quotas[name]));
}
