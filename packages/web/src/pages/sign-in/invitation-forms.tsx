import { Anchor, Button, Divider, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, call, queryClient } from "../../api/client.ts";
import type { OpenInvitation } from "../../api/queries/identity/invitations.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { SecretField } from "../../ui/form/text-fields.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";

interface InvitationFormsProps {
  token: string;
  invitation: OpenInvitation;
  /** The email address of the user who is signed in in this browser. */
  signedInAs: string | undefined;
  /** @param team its name in URLs */
  onJoined: (team: string) => Promise<void>;
}

/** How the invited person can join: with the current account, with a new password, or by signing in first. */
export function InvitationForms(props: InvitationFormsProps) {
  const { invitation, signedInAs } = props;
  if (signedInAs === invitation.email) return <AcceptAsCaller {...props} />;
  if (signedInAs !== undefined) return <OtherPerson {...props} signedInAs={signedInAs} />;
  return invitation.signIn === "password" ? <NewAccount {...props} /> : <SignInFirst email={invitation.email} />;
}

const accept = (body: { token: string; name?: string; password?: string }) => call(api.POST("/api/v2/invitation/accept", { body }));

function AcceptAsCaller({ token, signedInAs, onJoined }: InvitationFormsProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => accept({ token }), onSuccess: ({ team }) => onJoined(team) });
  return (
    <Stack gap="sm">
      <Text size="sm">{t("invitationForms.signedInAs", { email: signedInAs ?? "" })}</Text>
      <RefusalText error={error} />
      <Button fullWidth loading={isPending} onClick={() => mutate()}>
        {t("invitationForms.accept")}
      </Button>
    </Stack>
  );
}

function OtherPerson({ invitation, signedInAs }: InvitationFormsProps & { signedInAs: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(api.POST("/api/v2/auth/sign-out")),
    onSuccess: () => queryClient.resetQueries(),
  });
  return (
    <Stack gap="sm">
      <Text role="status">{t("invitationForms.otherPerson", { email: invitation.email, signedInAs })}</Text>
      <RefusalText error={error} />
      <Button fullWidth loading={isPending} onClick={() => mutate()}>
        {t("invitationForms.signOut")}
      </Button>
    </Stack>
  );
}

function NewAccount({ token, invitation: { email }, onJoined }: InvitationFormsProps) {
  const form = useForm({
    initialValues: { name: "", password: "" },
    validate: {
      name: (name) => (name.trim() === "" ? t("signInRules.nameMissing") : null),
      password: (password) => (password.length < 8 ? t("signInRules.passwordTooShort") : null),
    },
  });
  const send = async ({ name, password }: typeof form.values) => onJoined((await accept({ token, name, password })).team);
  return (
    <Stack gap="md">
      <ActionForm form={form} action={t("invitationForms.createAccount")} isWide onSubmit={send}>
        <TextInput label={t("emailField.emailAddress")} type="email" autoComplete="username" value={email} readOnly />
        <TextInput label={t("activateForm.name")} autoComplete="name" maxLength={400} {...form.getInputProps("name")} />
        <SecretField
          label={t("activateForm.password")}
          description={t("activateForm.passwordHelp")}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      </ActionForm>
      <Divider label={t("invitationForms.haveAccount")} />
      <Anchor component={Link} to={paths.signIn(paths.invitation())} size="sm" ta="center">
        {t("invitationForms.signInToAccept")}
      </Anchor>
    </Stack>
  );
}

function SignInFirst({ email }: { email: string }) {
  return (
    <Stack gap="sm">
      <Text size="sm">{t("invitationForms.signInFirst", { email })}</Text>
      <Button component={Link} to={paths.signIn(paths.invitation())} fullWidth>
        {t("invitationForms.signInToAccept")}
      </Button>
    </Stack>
  );
}
