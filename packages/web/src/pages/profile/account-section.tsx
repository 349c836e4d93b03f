import { Anchor, Button, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { profileQuery } from "../../api/queries/session.ts";
import type { components } from "../../api/schema.generated.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/profile.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { PasswordChange } from "./password-change.tsx";
import classes from "./profile.module.css";

type Profile = components["schemas"]["UserProfile"];

/** Name, password, and where one belongs. */
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
  const [name, setName] = useState(profile.displayName ?? profile.name ?? "");
  const save = useApiMutation({
    changes: ["profile", "caller"],
    toast: () => t("accountSection.nameSaved"),
    mutationFn: () => call(api.PATCH("/api/v2/profile", { body: { displayName: name } })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} aria-label={t("accountSection.name")}>
      <Stack gap="sm">
        <TextInput
          label={t("accountSection.name")}
          description={t("accountSection.nameHelp")}
          maxLength={400}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t("accountSection.emailAddress")}
          description={t("accountSection.emailAddressHelp")}
          readOnly
          value={profile.email}
        />
        {save.error !== null && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(save.error)}
          </Text>
        )}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t("accountSection.saveName")}
          </Button>
        </Group>
        <Text size="sm" className="quiet">
          {t.rich("accountSection.instanceAdministratorRole", {
            kind: profile.type === "admin" ? "yes" : "no",
            type: profile.type,
            time: () => <TimeText at={profile.creationDate} />,
          })}
        </Text>
      </Stack>
    </form>
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
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {profile.teams.map(({ id, name, displayName, role }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Anchor component={Link} to={paths.workflows(name)} inherit underline="hover">
                    {displayName || name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{role}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
