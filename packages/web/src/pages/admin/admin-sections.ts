import { lazy } from "react";
import type { AdminSection } from "./admin-section.ts";
import { mountedSections } from "./mounted-sections.tsx";

/** The sections of the administration by the word in their address; each is loaded when it is opened. */
export const adminSections: Readonly<Record<string, AdminSection>> = {
  teams: {
    title: "Teams",
    permission: "team/read",
    Section: lazy(() => import("./teams/teams-section.tsx").then((module) => ({ default: module.TeamsSection }))),
  },
  users: {
    title: "Users",
    permission: "user/read",
    Section: lazy(() => import("./users/users-section.tsx").then((module) => ({ default: module.UsersSection }))),
  },
  settings: {
    title: "Settings",
    permission: "system/read",
    Section: lazy(() => import("./settings/settings-section.tsx").then((module) => ({ default: module.SettingsSection }))),
  },
  features: {
    title: "Features",
    permission: "system/read",
    Section: lazy(() => import("./settings/features-section.tsx").then((module) => ({ default: module.FeaturesSection }))),
  },
  workers: {
    title: "Workers",
    permission: "system/read",
    Section: lazy(() => import("./workers/workers-section.tsx").then((module) => ({ default: module.WorkersSection }))),
  },
  history: {
    title: "History",
    permission: "system/read",
    Section: lazy(() => import("./history/history-section.tsx").then((module) => ({ default: module.HistorySection }))),
  },
  ...mountedSections,
};
