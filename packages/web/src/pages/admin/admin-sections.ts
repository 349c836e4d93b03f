import { lazy } from "react";
import { t } from "../../texts/administration.ts";
import type { AdminSection } from "./admin-section.ts";
import { mountedSections } from "./mounted-sections.tsx";

/** The sections of the administration by the word in their address; each is loaded when it is opened. */
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
