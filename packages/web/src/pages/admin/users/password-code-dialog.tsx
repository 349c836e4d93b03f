import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";

/** A code by which a person sets a password. It is shown this once, and nowhere kept in the page. */
export function PasswordCodeDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => call(api.POST("/api/v2/user/{userId}/password-code", { params: { path: { userId: user.id } } })),
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} title={`Password code for ${user.email}`} centered>
      <Stack gap="sm">
        {make.data === undefined ? (
          <Text>
            A code lets {user.displayName || user.email} set a password once, within 24 hours. It replaces the previous code. Anyone who has
            it can act as this user, so share it over a secure channel.
          </Text>
        ) : (
          <>
            <Text>
              The code is shown only once. Set the password at {window.location.origin}/sign-in, with “Set a password with a code”.
            </Text>
            <CopyField value={make.data.code} label="the code" />
            <Text size="sm" className="quiet">
              Valid until <TimeText at={make.data.expirationDate} isExact />
            </Text>
          </>
        )}
        {make.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(make.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {make.data === undefined ? "Cancel" : "Done"}
          </Button>
          {make.data === undefined && (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              Create code
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
