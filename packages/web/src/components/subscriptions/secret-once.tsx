import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The secret that signs the webhooks, on the only occasion that it is shown. */
export function SecretOnce({ secret, oldUntil, onDone }: { secret: string; oldUntil?: string | undefined; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Notice title="Shown this once">
        The receiver verifies with it that a webhook comes from here. It is kept sealed and can only be replaced.
      </Notice>
      <CopyField value={secret} label="the secret" />
      {oldUntil && (
        <Text size="sm">For 24 hours each webhook is signed with the one before, too: the receiver can change without a gap.</Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have taken it</Button>
      </Group>
    </Stack>
  );
}
