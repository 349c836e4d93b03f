import { lazy } from "react";
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
    title: "Global parameters",
    detail: "Shared values and secrets for all teams",
    permission: "parameter/read",
    Section: ParameterSection,
  },
  tokens: {
    title: "Global tokens",
    detail: "Tokens for programs that manage the whole instance",
    permission: "token/read",
    Section: GlobalTokens,
  },
  events: { title: "Events", detail: "Notifications for all teams", permission: "integration/read", Section: SubscriptionSection },
  insights: {
    title: "Insights",
    detail: "Runs of all teams",
    permission: "insights/read",
    Section: InstanceInsights,
    hasOwnMargins: true,
  },
  audit: { title: "Audit", detail: "Changes in all teams and in the instance", permission: "system/read", Section: AuditLog },
};
