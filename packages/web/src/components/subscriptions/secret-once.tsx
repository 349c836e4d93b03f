import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/state/notice.tsx";

/** The secret that signs the webhooks, on the only occasion that it is shown. */
export function SecretOnce({ secret, oldUntil, onDone }: { secret: string; oldUntil?: string | undefined; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Notice title="Shown only once">
        The receiver uses it to verify that a webhook comes from Millrace. It is stored encrypted and can only be replaced.
      </Notice>
      <CopyField value={secret} label="the secret" />
      {oldUntil && (
        <Text size="sm">For 24 hours each webhook is also signed with the previous secret, so the receiver can switch without a gap.</Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
