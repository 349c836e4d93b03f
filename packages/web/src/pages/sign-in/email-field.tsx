import { TextInput } from "@mantine/core";
import { t } from "../../texts/sign-in.ts";

/** By which people are known; browsers fill it in beside a password. */
export function EmailField({ value, onChange }: { value: string; onChange: (email: string) => void }) {
  return (
    <TextInput
      label={t("emailField.emailAddress")}
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
