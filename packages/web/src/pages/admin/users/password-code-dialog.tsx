import { Button, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { FormDialog } from "../../../ui/dialog/form-dialog.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";

/** A code by which a person sets a password. It is shown this once, and nowhere kept in the page. */
export function PasswordCodeDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => call(api.POST("/api/v2/user/{userId}/password-code", { params: { path: { userId: user.id } } })),
    gcTime: 0,
  });
  return (
    <FormDialog
      title={`Password code for ${user.email}`}
      form={useForm()}
      action="Create code"
      onSubmit={() => make.mutateAsync()}
      onClose={onClose}
      staysOpen
      result={make.data && <CodeOnce code={make.data.code} until={make.data.expirationDate} onDone={onClose} />}
    >
      <Text>
        A code lets {user.displayName || user.email} set a password once, within 24 hours. It replaces the previous code. Anyone who has it
        can act as this user, so share it over a secure channel.
      </Text>
    </FormDialog>
  );
}

function CodeOnce({ code, until, onDone }: { code: string; until: string; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Text>The code is shown only once. Set the password at {window.location.origin}/sign-in, with “Set a password with a code”.</Text>
      <CopyField value={code} label="the code" />
      <Text size="sm" className="quiet">
        Valid until <TimeText at={until} isExact />
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
