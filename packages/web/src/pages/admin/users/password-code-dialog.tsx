import { Button, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, call } from "../../../api/client.ts";
import type { User } from "../../../api/queries/users.ts";
import { t } from "../../../texts/administration.ts";
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
      title={t("passwordCodeDialog.passwordCode", { email: user.email })}
      form={useForm()}
      action={t("passwordCodeDialog.createCode")}
      onSubmit={() => make.mutateAsync()}
      onClose={onClose}
      staysOpen
      result={make.data && <CodeOnce code={make.data.code} until={make.data.expirationDate} onDone={onClose} />}
    >
      <Text>{t("passwordCodeDialog.codeLetsSetPassword", { displayName: user.displayName || user.email })}</Text>
    </FormDialog>
  );
}

function CodeOnce({ code, until, onDone }: { code: string; until: string; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Text>{t("passwordCodeDialog.codeShownOnlyOnce", { origin: window.location.origin })}</Text>
      <CopyField value={code} label={t("passwordCodeDialog.code")} />
      <Text size="sm" className="quiet">
        {t.rich("passwordCodeDialog.validUntil", { time: () => <TimeText at={until} isExact /> })}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("passwordCodeDialog.done")}</Button>
      </Group>
    </Stack>
  );
}
