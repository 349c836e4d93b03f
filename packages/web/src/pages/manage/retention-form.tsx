import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import type { Team } from "./team-types.ts";

const kinds = [
  { kind: "runs", label: "Runs (days)", after: "after they end" },
  { kind: "logs", label: "Logs (days)", after: "after their run ends" },
  { kind: "deliveries", label: "Deliveries (days)", after: "after they were sent" },
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
  const [days, setDays] = useState(() => ownDays(team));
  const { mutate, error, isPending } = useChangeTeam(team.name);
  const before = ownDays(team);
  const changed = kinds.filter(({ kind }) => days[kind] !== before[kind]);
  const why = rights.whyNot("team/delete");
  const save = (event: FormEvent) => {
    event.preventDefault();
    const retention = Object.fromEntries(changed.map(({ kind }) => [kind, days[kind] === "" ? null : days[kind]]));
    mutate({ retention }, { onSuccess: () => notifications.show({ message: "Retention saved" }) });
  };
  return (
    <form onSubmit={save} aria-labelledby="retention">
      <Stack gap="sm">
        <Title order={2} id="retention">
          Retention of history
        </Title>
        <Text size="sm" className="quiet">
          Older history is deleted and can't be restored. Open runs and runs with the label "keep" stay. Leave a field empty to use the
          instance's number of days.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          {kinds.map(({ kind, label, after }) => (
            <NumberInput
              key={kind}
              label={label}
              description={`${keptText(team.retentionInForce[kind])} ${after}`}
              inputWrapperOrder={["label", "input", "description", "error"]}
              placeholder="Instance default"
              min={1}
              max={36_500}
              allowDecimal={false}
              readOnly={why !== undefined}
              value={days[kind]}
              onChange={(value) => setDays({ ...days, [kind]: value === "" ? "" : Number(value) })}
            />
          ))}
        </SimpleGrid>
        <RefusalText error={error} />
        <Group gap="xs">
          <ActionButton
            type="submit"
            size="xs"
            whyNot={why ?? (changed.length === 0 ? "No unsaved changes" : undefined)}
            loading={isPending}
          >
            Save retention
          </ActionButton>
          {changed.length > 0 && (
            <Button size="xs" variant="default" onClick={() => setDays(before)}>
              Discard changes
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function keptText(days: number): string {
  if (days === 0) return "Now kept forever";
  return `Now kept for ${days} ${days === 1 ? "day" : "days"}`;
}
