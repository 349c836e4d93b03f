import { Anchor, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import { profileQuery } from "../../api/queries/identity/session.ts";
import { roleWord } from "../../components/role-word.ts";
import { useApiMutation, useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/profile.ts";
import { FormSection } from "../../ui/form/form-section.tsx";
import { SecretField } from "../../ui/form/text-fields.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./profile.module.css";

type Profile = components["schemas"]["UserProfile"];

/** The user's name, password and teams. */
export function AccountSection() {
  const query = useQuery(profileQuery);
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("accountSection.loadingProfile")} />;
  return (
    <div className={classes.columns}>
      <Stack gap="xl">
        <NameForm profile={data} />
        <PasswordChange />
      </Stack>
      <Teams profile={data} />
    </div>
  );
}

function NameForm({ profile }: { profile: Profile }) {
  const form = useForm({ initialValues: { displayName: profile.displayName ?? profile.name ?? "" } });
  const save = useApiMutation({
    changes: ["profile", "caller"],
    toast: () => t("accountSection.nameSaved"),
    mutationFn: (body: { displayName: string }) => call(api.PATCH("/api/v2/profile", { body })),
  });
  return (
    <FormSection form={form} label={t("accountSection.name")} action={t("accountSection.saveName")} onSubmit={save.mutateAsync}>
      <TextInput
        label={t("accountSection.name")}
        description={t("accountSection.nameHelp")}
        maxLength={400}
        {...form.getInputProps("displayName")}
      />
      <TextInput
        label={t("accountSection.emailAddress")}
        description={t("accountSection.emailAddressHelp")}
        readOnly
        value={profile.email}
      />
      <Text size="sm" className="quiet">
        {t.rich(`memberSince.${profile.type}`, { time: () => <TimeText at={profile.creationDate} isExact /> })}
      </Text>
    </FormSection>
  );
}

function Teams({ profile }: { profile: Profile }) {
  return (
    <section aria-label={t("accountSection.teams")}>
      <Title order={2} mb="xs">
        {t("accountSection.teams")}
      </Title>
      {profile.teams.length === 0 ? (
        <Text className="quiet">{t("accountSection.arentMemberAnyTeam")}</Text>
      ) : (
        <ul className={classes.teams}>
          {profile.teams.map(({ id, name, displayName, role }) => (
            <li key={id}>
              <Anchor component={Link} to={paths.workflows(name)} inherit underline="always">
                {displayName || name}
              </Anchor>{" "}
              <span className="quiet">{roleWord(role)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Changes the user's own password, which signs out all other browsers. */
function PasswordChange() {
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
      <SecretField
        label={t("passwordChange.currentPassword")}
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps("current")}
      />
      <SecretField
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
