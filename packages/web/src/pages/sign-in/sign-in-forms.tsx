import { Anchor, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { toReturnPath } from "@millrace/contract/identity/return-path.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { api, call, queryClient } from "../../api/client.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { SecretField } from "../../ui/form/text-fields.tsx";

/** Validation before anything is sent. */
const rules = {
  email: (email: string) => (/\S@\S/.test(email) ? null : t("signInRules.emailMissing")),
  code: (code: string) => (code.trim() === "" ? t("signInRules.codeMissing") : null),
  name: (name: string) => (name.trim() === "" ? t("signInRules.nameMissing") : null),
  password: (password: string) => (password === "" ? t("signInRules.passwordMissing") : null),
  newPassword: (password: string) => (password.length < 8 ? t("signInRules.passwordTooShort") : null),
  token: (token: string) => (token.trim() === "" ? t("signInRules.tokenMissing") : null),
};

/** Signs the user in, then opens the page they had requested. */
function useSignIn() {
  const navigate = useNavigate();
  const { returnTo } = useSearch({ strict: false });
  return async (send: () => Promise<unknown>) => {
    await send();
    queryClient.clear();
    await navigate({ href: insidePath(returnTo), replace: true });
  };
}

/** The email address identifies the user; browsers fill it in together with a password. */
const emailField = { label: t("emailField.emailAddress"), type: "email", autoComplete: "username" };

interface PasswordFormProps {
  /** Whether no better way to sign in is offered. */
  isMain: boolean;
  /** Opens the form for a new password. */
  onForgotten: () => void;
}

/** Signs in with email address and password. */
export function PasswordForm({ isMain, onForgotten }: PasswordFormProps) {
  const signIn = useSignIn();
  const form = useForm({ initialValues: { email: "", password: "" }, validate: { email: rules.email, password: rules.password } });
  return (
    <Stack gap="sm">
      <ActionForm
        form={form}
        action={t("passwordForm.signPassword")}
        isMinor={!isMain}
        isWide
        onSubmit={(body) => signIn(() => call(api.POST("/api/v2/auth/password", { body })))}
      >
        <TextInput {...emailField} {...form.getInputProps("email")} />
        <SecretField label={t("passwordForm.password")} autoComplete="current-password" {...form.getInputProps("password")} />
      </ActionForm>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onForgotten}>
        {t("passwordForm.setPasswordCode")}
      </Anchor>
    </Stack>
  );
}

/** Sets a first or new password with a code from an administrator, which also signs the user in. */
export function ResetForm({ onBack }: { onBack: () => void }) {
  const signIn = useSignIn();
  const form = useForm({
    initialValues: { email: "", code: "", password: "" },
    validate: { email: rules.email, code: rules.code, password: rules.newPassword },
  });
  const send = async ({ email, code, password }: typeof form.values) => {
    await call(api.POST("/api/v2/auth/password/reset", { body: { email, code: code.trim(), new: password } }));
    await call(api.POST("/api/v2/auth/password", { body: { email, password } }));
  };
  return (
    <Stack gap="sm">
      <ActionForm
        form={form}
        action={t("resetForm.setPasswordSign")}
        isWide
        places={{ "/new": "password" }}
        onSubmit={(values) => signIn(() => send(values))}
      >
        <Text size="sm" className="quiet">
          {t("resetForm.administratorCreateCodeList")}
        </Text>
        <TextInput {...emailField} {...form.getInputProps("email")} />
        <TextInput label={t("resetForm.code")} autoComplete="one-time-code" {...form.getInputProps("code")} />
        <SecretField
          label={t("resetForm.newPassword")}
          description={t("resetForm.newPasswordHelp")}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      </ActionForm>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t("resetForm.backSignOptions")}
      </Anchor>
    </Stack>
  );
}

/** Signs in with a token created by the service or by a user. Always offered. @param isMain whether no better way is offered */
export function TokenForm({ isMain }: { isMain: boolean }) {
  const signIn = useSignIn();
  const form = useForm({ initialValues: { token: "" }, validate: { token: rules.token } });
  const send = (token: string) => call(api.POST("/api/v2/auth/token", { headers: { authorization: `Bearer ${token.trim()}` } }));
  return (
    <ActionForm form={form} action={t("tokenForm.sign")} isMinor={!isMain} isWide onSubmit={({ token }) => signIn(() => send(token))}>
      <SecretField
        label={t("tokenForm.accessToken")}
        description={<FirstStartFile name="admin-token" />}
        autoComplete="off"
        {...form.getInputProps("token")}
      />
    </ActionForm>
  );
}

/** Asks for the one-time code of the first start and for the first administrator, who is then signed in. */
export function ActivateForm() {
  const signIn = useSignIn();
  const form = useForm({
    initialValues: { otc: "", name: "", email: "", password: "" },
    validate: { otc: rules.code, name: rules.name, email: rules.email, password: rules.newPassword },
  });
  const send = async ({ otc, name, email, password }: typeof form.values) => {
    await call(api.PUT("/api/v2/activate", { body: { otc: otc.trim(), email, password } }));
    await call(api.PATCH("/api/v2/profile", { body: { name, displayName: name } }));
  };
  return (
    <ActionForm form={form} action={t("activateForm.activateSign")} isWide onSubmit={(values) => signIn(() => send(values))}>
      <TextInput
        label={t("activateForm.oneTimeCode")}
        description={<FirstStartFile name="one-time-code" />}
        autoComplete="one-time-code"
        {...form.getInputProps("otc")}
      />
      <TextInput label={t("activateForm.name")} autoComplete="name" maxLength={400} {...form.getInputProps("name")} />
      <TextInput {...emailField} {...form.getInputProps("email")} />
      <SecretField
        label={t("activateForm.password")}
        description={t("activateForm.passwordHelp")}
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
    </ActionForm>
  );
}

/** Where to find what the first start of the service has written. @param name of the file */
function FirstStartFile({ name }: { name: string }) {
  return (
    <>
      {t.rich("firstStartFile.createdFirstStartFile", {
        code: () => <code>cat .millrace/{name}</code>,
        code2: () => <code>{name}</code>,
        code3: () => <code>MILLRACE_DATA_DIR</code>,
      })}
    </>
  );
}

/** The page to open after signing in: a path of this service. Anything else opens the start page. */
export function insidePath(wanted: string | undefined): string {
  return (typeof wanted === "string" && toReturnPath(wanted)) || paths.home();
}
