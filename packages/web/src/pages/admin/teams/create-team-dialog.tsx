import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import { useApiMutation } from "../../../hooks/use-api-mutation.ts";
import { t } from "../../../texts/administration.ts";

/** A team by its name, and its first owner where it is to be somebody else. */
export function CreateTeamDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t("createTeamDialog.createTeam")} centered>
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
    toast: (team) => t("createTeamDialog.teamCreated", { name: team.name }),
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
          label={t("createTeamDialog.name")}
          description={t("createTeamDialog.nameHelp")}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t("createTeamDialog.owner")}
          description={t("createTeamDialog.ownerHelp")}
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
            {t("createTeamDialog.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("createTeamDialog.createTeam")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
