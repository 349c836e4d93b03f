import { PasswordInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { api, call } from "../../api/client.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { t } from "../../texts/profile.ts";
import { FormSection } from "../../ui/form/form-section.tsx";

/** The own password; every other browser is signed out by it. */
export function PasswordChange() {
  const renew = useRenew();
  const form = useForm({ initialValues: { current: "", next: "" } });
  const change = async ({ current, next }: typeof form.values) => {
    await call(api.PUT("/api/v2/auth/password", { body: { current, new: next } }));
    await renew(["sessions"]);
    notifications.show({ message: t("passwordChange.passwordChangedAllSessions") });
  };
  return (
    <FormSection
      form={form}
      label={t("passwordChange.password")}
      action={t("passwordChange.changePassword")}
      places={{ "/new": "next" }}
      onSubmit={change}
      isForgotten
    >
      <Title order={2}>{t("passwordChange.password")}</Title>
      <PasswordInput
        label={t("passwordChange.currentPassword")}
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps("current")}
      />
      <PasswordInput
        label={t("passwordChange.newPassword")}
        description={t("passwordChange.newPasswordHelp")}
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={8}
        {...form.getInputProps("next")}
      />
    </FormSection>
  );
}
