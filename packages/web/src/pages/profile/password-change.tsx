import { Button, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { useRenew } from "../../hooks/use-renew.ts";

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
      notifications.show({ message: "Password changed. All other sessions have ended." });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Password">
      <Stack gap="sm">
        <Title order={2}>Password</Title>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters. All other sessions end; tokens stay valid."
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
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
