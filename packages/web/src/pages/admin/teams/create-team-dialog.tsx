import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";

/** A team by its name, and its first owner where it is to be somebody else. */
export function CreateTeamDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create team" centered>
      {isOpen && <CreateTeamForm onClose={onClose} />}
    </Modal>
  );
}

function CreateTeamForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [owner, setOwner] = useState("");
  const members = owner.trim() === "" ? [] : [{ email: owner.trim(), role: "owner" }];
  const create = useApiMutation({
    changes: ["teams", "caller"],
    toast: (team) => `Team ${team.name} created.`,
    mutationFn: () => call(api.POST("/api/v2/team", { body: { name, displayName: name.trim(), members } })),
    onSuccess: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="The URL uses it in lower case, with hyphens."
          required
          withAsterisk={false}
          data-autofocus
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Owner"
          description="An email address. If there is no such user, one is invited. Leave empty to own the team yourself."
          type="email"
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
        />
        {create.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(create.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create team
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
