import { type ComponentType, lazy } from "react";
import { t } from "../../texts/settings/administration.ts";

/** A section of the administration, loaded when it is opened. */
interface AdminSection {
  title: string;
  /** The permission needed to read it. */
  permission: string;
  Section: ComponentType;
  /** For a section without its own header: the line below its title. */
  detail?: string;
  /** Whether its parts bring their own margins. */
  hasOwnMargins?: boolean;
}

const ParameterSection = lazy(() =>
  import("../../components/parameters/parameter-section.tsx").then((module) => ({ default: module.ParameterSection })),
);
const TokenSection = lazy(() => import("../../components/tokens/token-section.tsx").then((module) => ({ default: module.TokenSection })));
const SubscriptionSection = lazy(() =>
  import("../../components/subscriptions/subscription-section.tsx").then((module) => ({ default: module.SubscriptionSection })),
);
const AuditLog = lazy(() => import("../../components/audit/audit-log.tsx").then((module) => ({ default: module.AuditLog })));
const InstanceInsights = lazy(() => import("../insights/insights-page.tsx").then((module) => ({ default: module.InstanceInsights })));

function GlobalTokens() {
  return <TokenSection kind="global" />;
}

/** Sections whose content is shared with the pages of teams. Here they get the title and the place they have in the administration. */
const mountedSections: Readonly<Record<string, AdminSection>> = {
  parameters: {
    title: t("adminSections.globalParameters"),
    detail: t("adminSections.sharedValuesSecretsAll"),
    permission: "parameter/read",
    Section: ParameterSection,
  },
  tokens: {
    title: t("adminSections.globalTokens"),
    detail: t("adminSections.tokensProgramsManageWhole"),
    permission: "token/read",
    Section: GlobalTokens,
  },
  events: {
    title: t("adminSections.events"),
    detail: t("adminSections.notificationsAllTeams"),
    permission: "integration/read",
    Section: SubscriptionSection,
  },
  insights: {
    title: t("adminSections.insights"),
    detail: t("adminSections.runsAllTeams"),
    permission: "insights/read",
    Section: InstanceInsights,
    hasOwnMargins: true,
  },
  audit: {
    title: t("adminSections.audit"),
    detail: t("adminSections.changesAllTeamsInstance"),
    permission: "system/read",
    Section: AuditLog,
  },
};

/** The sections of the administration by their name in the URL. Each is loaded when it is opened. */
export const adminSections: Readonly<Record<string, AdminSection>> = {
  teams: {
    title: t("adminSections.teams"),
    permission: "team/read",
    Section: lazy(() => import("./teams/teams-section.tsx").then((module) => ({ default: module.TeamsSection }))),
  },
  users: {
    title: t("adminSections.users"),
    permission: "user/read",
    Section: lazy(() => import("./users/users-section.tsx").then((module) => ({ default: module.UsersSection }))),
  },
  settings: {
    title: t("adminSections.settings"),
    permission: "system/read",
    Section: lazy(() => import("./settings/settings-section.tsx").then((module) => ({ default: module.SettingsSection }))),
  },
  features: {
    title: t("adminSections.features"),
    permission: "system/read",
    Section: lazy(() => import("./settings/features-section.tsx").then((module) => ({ default: module.FeaturesSection }))),
  },
  workers: {
    title: t("adminSections.workers"),
    permission: "system/read",
    Section: lazy(() => import("./workers/workers-section.tsx").then((module) => ({ default: module.WorkersSection }))),
  },
  history: {
    title: t("adminSections.history"),
    permission: "system/read",
    Section: lazy(() => import("./history/history-section.tsx").then((module) => ({ default: module.HistorySection }))),
  },
  ...mountedSections,
};
