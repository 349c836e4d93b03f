import { Button, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/profile.ts";

/** The own password; every other browser is signed out by it. */
export function PasswordChange() {
  const renew = useRenew();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    mutationFn: () => call(api.PUT("/api/v2/auth/password", { body: { current, new: next } })),
    onSuccess: async () => {
      setCurrent("");
      setNext("");
      await renew(["sessions"]);
      notifications.show({ message: t("passwordChange.passwordChangedAllSessions") });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} aria-label={t("passwordChange.password")}>
      <Stack gap="sm">
        <Title order={2}>{t("passwordChange.password")}</Title>
        <PasswordInput
          label={t("passwordChange.currentPassword")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("passwordChange.newPassword")}
          description={t("passwordChange.newPasswordHelp")}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        {change.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(change.error)}
          </Text>
        )}
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t("passwordChange.changePassword")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
