import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import type { QuotaRow } from "./quota-rows.ts";

interface QuotaLimitProps {
  team: string;
  row: QuotaRow;
  limit: number;
  byDefault: number | undefined;
}

/** A limit, changed in place. Above the instance's default only who may change every team may set it, and the service says so. */
export function QuotaLimit({ team, row, limit, byDefault }: QuotaLimitProps) {
  const rights = useRights(team);
  const ofInstance = useRights();
  const [wanted, setWanted] = useState<number | string>();
  const { mutate, error, isPending, reset } = useChangeTeam(team);
  const stop = () => {
    reset();
    setWanted(undefined);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ quotas: { [row.name]: Number(wanted) } }, { onSuccess: stop });
  };
  if (wanted === undefined)
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" style={{ whiteSpace: "nowrap" }}>
          {limit.toLocaleString()} {row.unit}
        </Text>
        <ActionButton
          size="compact-xs"
          variant="subtle"
          whyNot={rights.whyNot("team/write")}
          onClick={() => setWanted(limit)}
          aria-label={`Change the limit of ${row.title}`}
        >
          Change
        </ActionButton>
      </Group>
    );
  return (
    <form onSubmit={save}>
      <Stack gap={4} maw={280}>
        <Group gap={4} wrap="nowrap">
          <NumberInput
            aria-label={`Limit of ${row.title} in ${row.unit}`}
            size="xs"
            w={96}
            min={row.name === "maxWorkflowRunDuration" ? 1 : 0}
            max={2_000_000_000}
            allowDecimal={false}
            value={wanted}
            onChange={setWanted}
            autoFocus
          />
          <Button type="submit" size="xs" loading={isPending} disabled={wanted === "" || wanted === limit}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={stop}>
            Cancel
          </Button>
        </Group>
        {error === null && byDefault !== undefined && !ofInstance.may("team/write") && (
          <Text size="xs" className="quiet">
            Up to {byDefault}; an administrator may set more.
          </Text>
        )}
        <RefusalText error={error} />
      </Stack>
    </form>
  );
}
