import { Button, Group, Modal, MultiSelect, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import type { ApproverGroup, Team } from "./team-types.ts";

interface ApproverGroupDialogProps {
  team: Team;
  /** undefined: closed. */
  group: ApproverGroup | "new" | undefined;
  onClose: () => void;
}

/** Who is in a group. Its name is how workflows find it, so it stays. */
export function ApproverGroupDialog({ team, group, onClose }: ApproverGroupDialogProps) {
  const title = group === "new" || group === undefined ? "Create approver group" : `Edit ${group.name}`;
  return (
    <Modal opened={group !== undefined} onClose={onClose} title={title}>
      {group !== undefined && <GroupForm team={team} group={group} onClose={onClose} />}
    </Modal>
  );
}

function GroupForm({ team, group, onClose }: ApproverGroupDialogProps) {
  const known = typeof group === "object" ? group : undefined;
  const [name, setName] = useState(known?.name ?? "");
  const [approvers, setApprovers] = useState(() => (known?.approvers ?? []).map(({ id }) => id ?? ""));
  const { mutate, error, isPending } = useChangeTeam(team.name);
  const choices = team.members.map(({ id, name: own, email }) => ({ value: id ?? "", label: own ? `${own} (${email})` : (email ?? "") }));
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ approverGroups: [{ name: name.trim(), approvers }] }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description={known ? "The name can't be changed, because workflows use it" : undefined}
          required
          maxLength={200}
          readOnly={known !== undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <MultiSelect
          label="Approvers"
          description="Members of the team"
          data={choices}
          {...(approvers.length === 0 && { placeholder: "Choose members" })}
          value={approvers}
          onChange={setApprovers}
          searchable
          nothingFoundMessage="No member with this name"
        />
        <RefusalText error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {known ? "Save group" : "Create group"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
