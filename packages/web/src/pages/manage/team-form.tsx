import { Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { paths } from "../../paths.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { type Label, labelChange, toLabels } from "./labels.ts";
import { LabelsField } from "./labels-field.tsx";
import type { Team } from "./team-types.ts";

/** Names, status and labels of a team. A new name moves the team to another address; the old one is free at once. */
export function TeamForm({ team }: { team: Team }) {
  const rights = useRights(team.name);
  const navigate = useNavigate();
  const [displayName, setDisplayName] = useState(team.displayName);
  const [name, setName] = useState(team.name);
  const [status, setStatus] = useState<string>(team.status);
  const [labels, setLabels] = useState<Label[]>(() => toLabels(team.labels));
  const { mutate, error, isPending } = useChangeTeam(team.name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const change = { displayName, ...(name !== team.name && { name }), status, labels: labelChange(team.labels, labels) };
    mutate(change, {
      onSuccess: (changed) => {
        notifications.show({ message: "Settings saved." });
        if (changed.name !== team.name) void navigate({ to: paths.manage(changed.name, "settings"), replace: true });
      },
    });
  };
  const why = rights.whyNot("team/write");
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="Display name"
            required
            maxLength={400}
            readOnly={why !== undefined}
            value={displayName}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <TextInput
            label="Name"
            required
            maxLength={128}
            readOnly={why !== undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            {...(name !== team.name && { description: "URLs and scripts that use the old name stop working" })}
            inputWrapperOrder={["label", "input", "description", "error"]}
          />
        </SimpleGrid>
        <Stack gap={4} align="flex-start">
          <Text size="sm" fw={500}>
            Status
          </Text>
          <SegmentedControl
            aria-label="Status"
            size="xs"
            disabled={why !== undefined}
            value={status}
            onChange={setStatus}
            data={[
              { value: "active", label: "Active" },
              { value: "inactive", label: "Inactive" },
            ]}
          />
          <Text size="xs" className="quiet">
            Nothing can run in an inactive team. Everything can still be read.
          </Text>
        </Stack>
        <LabelsField labels={labels} onChange={setLabels} isReadOnly={why !== undefined} />
        <RefusalText error={error} />
        <Group>
          <ActionButton type="submit" size="xs" whyNot={why} loading={isPending}>
            Save settings
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
