import { Button, Group, Modal, Radio, Stack, TagsInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { rolesQuery } from "../../api/queries/teams.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangeTeam } from "../../hooks/use-change-team.ts";
import { RefusalText } from "../../ui/state/refusal-text.tsx";

interface InviteDialogProps {
  team: string;
  isOpen: boolean;
  onClose: () => void;
}

/** People by their addresses, many at once. Who is not known here is invited, and gets in when he first signs in. */
export function InviteDialog({ team, isOpen, onClose }: InviteDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Invite people">
      <InviteForm team={team} onClose={onClose} />
    </Modal>
  );
}

function InviteForm({ team, onClose }: Omit<InviteDialogProps, "isOpen">) {
  const [addresses, setAddresses] = useState<string[]>([]);
  const [role, setRole] = useState("editor");
  const { mutate, error, isPending } = useChangeTeam(team);
  const rights = useRights(team);
  const { data: roles = [] } = useQuery(rolesQuery);
  const invite = (event: FormEvent) => {
    event.preventDefault();
    const told = () => {
      notifications.show({ message: `${addresses.join(", ")} added as ${role}.` });
      onClose();
    };
    mutate({ members: addresses.map((email) => ({ email, role })) }, { onSuccess: told });
  };
  return (
    <form onSubmit={invite}>
      <Stack gap="sm">
        <TagsInput
          label="Email addresses"
          description="Separate addresses with commas. Millrace sends no email; share the sign-in link yourself."
          value={addresses}
          onChange={setAddresses}
          splitChars={[",", ";", " "]}
          data-autofocus
        />
        <Radio.Group label="Role" value={role} onChange={setRole}>
          <Stack gap="xs" mt={4}>
            {roles.map(({ name, description, permissions }) => (
              <Radio
                key={name}
                value={name}
                label={name}
                description={permissions.every((one) => rights.may(one)) ? description : `${description}. Only owners can grant this role`}
                disabled={!permissions.every((one) => rights.may(one))}
              />
            ))}
          </Stack>
        </Radio.Group>
        <RefusalText error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={addresses.length === 0}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
