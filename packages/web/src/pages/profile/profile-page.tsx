import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { HowTo } from "../../components/how-to/how-to.tsx";
import { curlCommand } from "../../components/how-to/set-up-command.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useParam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/profile.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { NotFoundPage } from "../not-found-page.tsx";
import { AccountSection } from "./account-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { OwnTokens } from "./own-tokens.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TokenAlone } from "./token-alone.tsx";

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

/** One's own things, a section each. A token that acts as itself has none of a person's, which is said. */
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
