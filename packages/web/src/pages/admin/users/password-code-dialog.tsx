import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { messageOf } from "../../../api/api-error.ts";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { t } from "../../../texts/administration.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";

/** A code by which a person sets a password. It is shown this once, and nowhere kept in the page. */
export function PasswordCodeDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => call(api.POST("/api/v2/user/{userId}/password-code", { params: { path: { userId: user.id } } })),
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} title={t("passwordCodeDialog.passwordCode", { email: user.email })} centered>
      <Stack gap="sm">
        {make.data === undefined ? (
          <Text>{t("passwordCodeDialog.codeLetsSetPassword", { displayName: user.displayName || user.email })}</Text>
        ) : (
          <>
            <Text>{t("passwordCodeDialog.codeShownOnlyOnce", { origin: window.location.origin })}</Text>
            <CopyField value={make.data.code} label={t("passwordCodeDialog.code")} />
            <Text size="sm" className="quiet">
              {t.rich("passwordCodeDialog.validUntil", { time: () => <TimeText at={make.data.expirationDate} isExact /> })}
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
            {make.data === undefined ? t("passwordCodeDialog.cancel") : t("passwordCodeDialog.done")}
          </Button>
          {make.data === undefined && (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              {t("passwordCodeDialog.createCode")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
