import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { t } from "../../texts/sign-in.ts";
import { EmailField } from "./email-field.tsx";
import { Refusal } from "./refusal.tsx";
import { useSignIn } from "./use-sign-in.ts";

/** A first password, or a new one, by the code that an administrator has made; the person is signed in by it. */
export function ResetForm({ onBack }: { onBack: () => void }) {
  const { submit, error, isBusy } = useSignIn();
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const send = async () => {
    await call(api.POST("/api/v2/auth/password/reset", { body: { email, code: code.trim(), new: password } }));
    await call(api.POST("/api/v2/auth/password", { body: { email, password } }));
  };
  return (
    <form onSubmit={(event) => void submit(send)(event)}>
      <Stack gap="sm">
        <Text size="sm" className="quiet">
          {t("resetForm.administratorCreateCodeList")}
        </Text>
        <EmailField value={email} onChange={setEmail} />
        <TextInput
          label={t("resetForm.code")}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("resetForm.newPassword")}
          description={t("resetForm.newPasswordHelp")}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy}>
          {t("resetForm.setPasswordSign")}
        </Button>
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          {t("resetForm.backSignOptions")}
        </Anchor>
      </Stack>
    </form>
  );
}
