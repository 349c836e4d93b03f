import { Badge, Box, Tabs } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { AuditLog } from "../../components/audit/audit-log.tsx";
import { TokenSection } from "../../components/tokens/token-section.tsx";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/team.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { ApproversSection } from "./approvers-section.tsx";
import classes from "./manage.module.css";
import { MembersSection } from "./members-section.tsx";
import type { Team } from "./quota-rows.ts";
import { QuotasSection } from "./quotas-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { TeamProtectionSection } from "./team-protection-section.tsx";

/** The sections of the page, by their names in the URL. */
const sections: readonly { word: string; name: string; show: (team: Team) => ReactNode }[] = [
  { word: "members", name: t("managePage.members"), show: (team) => <MembersSection team={team} /> },
  { word: "approvers", name: t("managePage.approvers"), show: (team) => <ApproversSection team={team} /> },
  { word: "protection", name: t("managePage.protection"), show: (team) => <TeamProtectionSection team={team} /> },
  { word: "quotas", name: t("managePage.quotas"), show: (team) => <QuotasSection team={team} /> },
  { word: "tokens", name: t("managePage.tokens"), show: (team) => <TokenSection kind="team" team={team.name} /> },
  { word: "audit", name: t("managePage.audit"), show: (team) => <AuditLog team={team.name} /> },
  { word: "settings", name: t("managePage.settings"), show: (team) => <SettingsSection team={team} /> },
];

/** Everything about a team itself: its members, limits, tokens, records and settings. */
export function ManagePage() {
  const name = useTeam();
  const section = useParam("section");
  const { data: team } = useSuspenseQuery(teamQuery(name));
  const navigate = useNavigate();
  const chosen = sections.find(({ word }) => word === section);
  return (
    <>
      <PageHeader
        title={t("managePage.manage", { displayName: team.displayName })}
        tab={chosen?.name}
        state={team.status === "inactive" && <Badge color="gray">{t("managePage.inactive")}</Badge>}
        detail={<span className="code">{team.name}</span>}
      />
      <Tabs value={section} onChange={(word) => word && void navigate({ to: paths.manage(name, word) })}>
        <Tabs.List className={classes.tabs} aria-label={t("managePage.sections")}>
          {sections.map((one) => (
            <Tabs.Tab key={one.word} value={one.word}>
              {one.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {chosen === undefined ? (
          <EmptyState title={t("managePage.sectionDoesntExist")} />
        ) : (
          <Tabs.Panel value={chosen.word}>
            <Box p="md">
              <Suspense fallback={<LoadingState />}>{chosen.show(team)}</Suspense>
            </Box>
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
