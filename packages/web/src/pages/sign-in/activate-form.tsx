import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { t } from "../../texts/sign-in.ts";
import { FirstStartFile } from "./first-start-file.tsx";
import { Refusal } from "./refusal.tsx";
import { useSignIn } from "./use-sign-in.ts";

const empty = { otc: "", name: "", email: "", password: "" };

/** The one-time code of the first start, and who the first administrator is; he is signed in by it. */
export function ActivateForm() {
  const { submit, error, isBusy } = useSignIn();
  const [given, setGiven] = useState(empty);
  const field = (member: keyof typeof empty) => ({
    required: true,
    withAsterisk: false,
    value: given[member],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setGiven((present) => ({ ...present, [member]: value }));
    },
  });
  const send = async () => {
    const { otc, name, email, password } = given;
    await call(api.PUT("/api/v2/activate", { body: { otc: otc.trim(), email, password } }));
    await call(api.PATCH("/api/v2/profile", { body: { name, displayName: name } }));
  };
  return (
    <form onSubmit={(event) => void submit(send)(event)}>
      <Stack gap="sm">
        <TextInput
          label={t("activateForm.oneTimeCode")}
          description={<FirstStartFile name="one-time-code" />}
          autoComplete="one-time-code"
          {...field("otc")}
        />
        <TextInput label={t("activateForm.name")} autoComplete="name" maxLength={400} {...field("name")} />
        <TextInput label={t("activateForm.emailAddress")} type="email" autoComplete="username" {...field("email")} />
        <PasswordInput
          label={t("activateForm.password")}
          description={t("activateForm.passwordHelp")}
          autoComplete="new-password"
          minLength={8}
          {...field("password")}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy}>
          {t("activateForm.activateSign")}
        </Button>
      </Stack>
    </form>
  );
}
