import { Anchor, Button, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { t } from "../../texts/sign-in.ts";
import { EmailField } from "./email-field.tsx";
import { Refusal } from "./refusal.tsx";
import { useSignIn } from "./use-sign-in.ts";

interface PasswordFormProps {
  /** Nothing better is offered. */
  isMain: boolean;
  /** To the form for a new password. */
  onForgotten: () => void;
}

/** Email address and password. */
export function PasswordForm({ isMain, onForgotten }: PasswordFormProps) {
  const { submit, error, isBusy } = useSignIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form onSubmit={(event) => void submit(() => call(api.POST("/api/v2/auth/password", { body: { email, password } })))(event)}>
      <Stack gap="sm">
        <EmailField value={email} onChange={setEmail} />
        <PasswordInput
          label={t("passwordForm.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy} variant={isMain ? "filled" : "default"}>
          {t("passwordForm.signPassword")}
        </Button>
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onForgotten}>
          {t("passwordForm.setPasswordCode")}
        </Anchor>
      </Stack>
    </form>
  );
}
