import { lazy } from "react";
import { t } from "../../texts/administration.ts";
import type { AdminSection } from "./admin-section.ts";

const ParameterSection = lazy(() =>
  import("../../components/parameters/parameter-section.tsx").then((module) => ({ default: module.ParameterSection })),
);
const TokenSection = lazy(() => import("../../components/tokens/token-section.tsx").then((module) => ({ default: module.TokenSection })));
const SubscriptionSection = lazy(() =>
  import("../../components/subscriptions/subscription-section.tsx").then((module) => ({ default: module.SubscriptionSection })),
);
const AuditLog = lazy(() => import("../../components/audit/audit-log.tsx").then((module) => ({ default: module.AuditLog })));
const InstanceInsights = lazy(() => import("../insights/instance-insights.tsx").then((module) => ({ default: module.InstanceInsights })));

function GlobalTokens() {
  return <TokenSection kind="global" />;
}

/** Sections whose content is shared with the pages of teams: this is where they get their title and their place in the administration. */
export const mountedSections: Readonly<Record<string, AdminSection>> = {
  parameters: {
    title: t("mountedSections.globalParameters"),
    detail: t("mountedSections.sharedValuesSecretsAll"),
    permission: "parameter/read",
    Section: ParameterSection,
  },
  tokens: {
    title: t("mountedSections.globalTokens"),
    detail: t("mountedSections.tokensProgramsManageWhole"),
    permission: "token/read",
    Section: GlobalTokens,
  },
  events: {
    title: t("mountedSections.events"),
    detail: t("mountedSections.notificationsAllTeams"),
    permission: "integration/read",
    Section: SubscriptionSection,
  },
  insights: {
    title: t("mountedSections.insights"),
    detail: t("mountedSections.runsAllTeams"),
    permission: "insights/read",
    Section: InstanceInsights,
    hasOwnMargins: true,
  },
  audit: {
    title: t("mountedSections.audit"),
    detail: t("mountedSections.changesAllTeamsInstance"),
    permission: "system/read",
    Section: AuditLog,
  },
};
