import { Anchor, Radio, Stack, Tabs, Text, useMantineColorScheme } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { HowTo } from "../../components/how-to/how-to.tsx";
import { curlCommand } from "../../components/how-to/set-up-command.ts";
import { TokenSection } from "../../components/tokens/token-section.tsx";
import { tokenWord } from "../../components/tokens/token-word.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useParam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { themes, themeWord } from "../../styles/theme.ts";
import { t } from "../../texts/identity/profile.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { NotFoundPage } from "../error-pages.tsx";
import { AccountSection } from "./account-section.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { SessionsSection } from "./sessions-section.tsx";

const sections = [
  { value: "account", label: t("profilePage.account"), Section: AccountSection, isPersons: true },
  { value: "sessions", label: t("profilePage.sessions"), Section: SessionsSection, isPersons: true },
  { value: "tokens", label: t("profilePage.tokens"), Section: OwnTokens, isPersons: true },
  { value: "appearance", label: t("profilePage.appearance"), Section: AppearanceSection, isPersons: false },
];

const commands = [
  { label: t("profilePage.identityPermissionsToken"), command: curlCommand("GET", "/api/v2/auth/caller") },
  { label: t("profilePage.profile"), command: curlCommand("GET", "/api/v2/profile") },
  { label: t("profilePage.createToken"), command: curlCommand("POST", "/api/v2/token", { type: "user", name: "laptop" }) },
];

/** The user's own settings, in sections. A token that acts as itself belongs to no person; the page says so. */
export function ProfilePage() {
  const section = useParam("section");
  const navigate = useNavigate();
  const caller = useCaller();
  const known = sections.find(({ value }) => value === section);
  if (known === undefined) return <NotFoundPage />;
  return (
    <>
      <PageHeader
        title={t("profilePage.profileTitle")}
        tab={t("profilePage.tabTitle", { label: known.label })}
        detail={caller.email ?? caller.name}
      >
        <HowTo title={t("profilePage.profileApi")} commands={commands} />
      </PageHeader>
      <Tabs value={section} onChange={(value) => value && void navigate({ to: paths.profile(value) })} keepMounted={false}>
        <Tabs.List px="xs">
          {sections.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section} p="md">
          {known.isPersons && caller.userId === null ? <TokenAlone /> : <known.Section />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Tokens that act as the signed-in user, with the roles that the user currently has. */
function OwnTokens() {
  return <TokenSection kind="user" />;
}

/** Shown to callers whose token belongs to no person: what the token is, and how to sign in as a person. */
function TokenAlone() {
  const { kind, name, expirationDate, permissions, teams } = useCaller();
  const scope = permissions.length > 0 ? t("tokenAlone.wholeInstance") : teams.map((team) => team.displayName || team.name).join(", ");
  return (
    <EmptyState title={t("tokenAlone.youreSignedToken", { kind: tokenWord(kind), name })}>
      <Stack gap={4} align="center" maw={520}>
        <Text>{t("tokenAlone.tokenIsntUserAccount")}</Text>
        <Text className="quiet">
          {t.rich(expirationDate === null ? "tokenAlone.accessWithoutEnd" : "tokenAlone.accessUntil", {
            scope: scope || t("tokenAlone.nothing"),
            time: () => <TimeText at={expirationDate} isExact />,
          })}
        </Text>
        <Text className="quiet">
          {t.rich("tokenAlone.haveProfileSignOut", {
            link: (chunks) => (
              <Anchor component={Link} to={paths.profile("appearance")}>
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      </Stack>
    </EmptyState>
  );
}

/** The settings stored in this browser: theme and language, and the time zone in which times are shown. */
function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="xl" maw={520}>
      <Radio.Group
        label={t("appearanceSection.theme")}
        description={t("appearanceSection.themeHelp")}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as (typeof themes)[number]["value"])}
      >
        <Stack gap="xs" mt="xs">
          {themes.map((each) => (
            <Radio key={each.value} value={each.value} label={themeWord(each)} />
          ))}
        </Stack>
      </Radio.Group>
      <LanguageChoice />
      <Stack gap={4}>
        <Text fw={500}>{t("appearanceSection.timeZone")}</Text>
        <Text>
          {t.rich("appearanceSection.currentTime", {
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            time: () => <TimeText at={new Date().toISOString()} isExact />,
          })}
        </Text>
        <Text size="sm" className="quiet">
          {t("appearanceSection.timesUseTimeZone")}
        </Text>
      </Stack>
    </Stack>
  );
}
