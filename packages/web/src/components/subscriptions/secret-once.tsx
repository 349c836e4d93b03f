import { Button, Group, Stack, Text } from "@mantine/core";
import { t } from "../../texts/subscriptions.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/state/notice.tsx";

/** The secret that signs the webhooks, on the only occasion that it is shown. */
export function SecretOnce({ secret, oldUntil, onDone }: { secret: string; oldUntil?: string | undefined; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Notice title={t("secretOnce.shownOnlyOnce")}>{t("secretOnce.receiverUsesVerifyWebhook")}</Notice>
      <CopyField value={secret} label={t("secretOnce.secret")} />
      {oldUntil && <Text size="sm">{t("secretOnce.n24HoursEachWebhook")}</Text>}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("secretOnce.done")}</Button>
      </Group>
    </Stack>
  );
}
