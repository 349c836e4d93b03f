// The settings of an instance: the catalogue of all groups, and the values that the service itself uses.
import type { Retention } from "@millrace/contract/retention.ts";
import type { AlertLimits } from "../alert/run-lateness.ts";
import type { Quotas } from "../team/quota.ts";
import { workspaceBytes } from "../team/quota.ts";
import { alertSettings } from "./alert-settings.ts";
import { apiSettings } from "./api-settings.ts";
import { checkSetting } from "./check-setting.ts";
import { customizationSettings } from "./customization-settings.ts";
import type { SettingDefinition, SettingGroup } from "./definition.ts";
import { type FeatureKey, featureKeys, featureSettings } from "./feature-settings.ts";
import { integrationSettings } from "./integration-settings.ts";
import { mailSettings } from "./mail-settings.ts";
import { historySettings, workflowRunSettings, workflowSettings } from "./storage-settings.ts";
import { taskSettings } from "./task-settings.ts";
import { invitationSettings, teamSettings } from "./team-settings.ts";

/** Every group, in the order in which they are listed. */
export const settingGroups: readonly SettingGroup[] = [
  taskSettings,
  teamSettings,
  featureSettings,
  workflowRunSettings,
  workflowSettings,
  integrationSettings,
  mailSettings,
  invitationSettings,
  customizationSettings,
  apiSettings,
  historySettings,
  alertSettings,
];

/** Stored values that differ from the defaults, by `group/key`. Those of secured settings are sealed. */
export type StoredSettings = ReadonlyMap<string, string>;

export function settingPath(group: string, key: string): string {
  return `${group}/${key}`;
}

const definitions: ReadonlyMap<string, SettingDefinition> = new Map(
  settingGroups.flatMap(({ key: group, settings }) => settings.map((setting) => [settingPath(group, setting.key), setting])),
);

/** @throws Error if there is no such setting: the caller has misspelt it */
export function settingDefinition(group: string, key: string): SettingDefinition {
  const definition = definitions.get(settingPath(group, key));
  if (definition === undefined) throw new Error(`there is no setting ${settingPath(group, key)}`);
  return definition;
}

/** The settings that the service itself uses, in the types that it needs; no secrets. */
export interface InstanceSettings {
  /** Increases with every change. */
  revision: number;
  /** For teams that have none of their own. */
  quotas: Quotas;
  features: Readonly<Record<FeatureKey, boolean>>;
  task: {
    isDebug: boolean;
    /** Empty: no default image. */
    defaultImage: string;
    deletionPolicy: string;
    maxTimeoutMinutes: number;
    areVerifiedEditable: boolean;
    /** How long a task waits for the folder of its workspaces. */
    workspaceWaitMinutes: number;
  };
  storage: Readonly<Record<WorkspaceType, WorkspaceStorage>>;
  rateLimit: { requestsPerSecond: number; burst: number };
  /** In days; 0 is forever. */
  retention: Retention;
  alerts: AlertLimits;
  /** Who may invite people: only administrators, or owners of teams, too. */
  inviters: "owners" | "administrators";
  look: { appName: string; platformName: string; isLogoShown: boolean; logoUrl: string; signOutUrl: string; communityUrl: string };
}

export type WorkspaceType = "workflow" | "workflowrun";

export interface WorkspaceStorage {
  defaultBytes: number;
  maxBytes: number;
  /** As written in the setting, for messages. */
  max: string;
}

/** The current value, as text; secured values are decrypted where they are used. */
export function settingText(stored: StoredSettings, group: string, key: string): string {
  const definition = settingDefinition(group, key);
  const value = stored.get(settingPath(group, key));
  if (value === undefined || definition.type === "secured") return definition.default;
  // A value that an older version accepted and this one refuses counts as not set.
  const checked = checkSetting(definition, value);
  return "value" in checked ? checked.value : definition.default;
}

type Read = (group: string, key: string) => string;

export function toInstanceSettings(stored: StoredSettings, revision: number): InstanceSettings {
  const text: Read = (group, key) => settingText(stored, group, key);
  const isOn = (key: string) => text("features", key) === "true";
  return {
    revision,
    quotas: quotasOf(text),
    features: Object.fromEntries(featureKeys.map((key) => [key, isOn(key)])) as Record<FeatureKey, boolean>,
    task: {
      isDebug: text("task", "debug") === "true",
      defaultImage: text("task", "default.image"),
      deletionPolicy: text("task", "deletion.policy"),
      maxTimeoutMinutes: number(text("task", "default.timeout")),
      areVerifiedEditable: text("task", "edit.verified") === "true",
      workspaceWaitMinutes: number(text("task", "workspace.wait")),
    },
    storage: { workflow: storageOf(text, "workflow"), workflowrun: storageOf(text, "workflowrun") },
    rateLimit: { requestsPerSecond: number(text("api", "rate.requestsPerSecond")), burst: number(text("api", "rate.burst")) },
    retention: retentionOf(text),
    alerts: alertsOf(text),
    inviters: text("invitations", "by") === "administrators" ? "administrators" : "owners",
    look: lookOf(text),
  };
}

/** For a checked value; the unit of a size is ignored. */
function number(text: string): number {
  return Number.parseInt(text, 10);
}

function quotasOf(text: Read): Quotas {
  const quota = (key: string) => number(text("teams", key));
  return {
    maxWorkflowCount: quota("max.workflow.count"),
    maxWorkflowRunMonthly: quota("max.workflowrun.monthly"),
    maxWorkflowStorage: quota("max.workflow.storage"),
    maxWorkflowRunStorage: quota("max.workflowrun.storage"),
    maxWorkflowRunDuration: quota("max.workflowrun.duration"),
    maxConcurrentRuns: quota("max.workflowrun.concurrent"),
    maxWaitingRuns: quota("max.workflowrun.waiting"),
  };
}

function retentionOf(text: Read): Retention {
  const days = (key: string) => number(text("history", key));
  return { runs: days("runs"), logs: days("logs"), deliveries: days("deliveries"), audit: days("audit") };
}

function alertsOf(text: Read): AlertLimits {
  const limit = (key: string) => number(text("alerts", key));
  return {
    runPercent: limit("run.percent"),
    runMinutes: limit("run.minutes"),
    queueMinutes: limit("queue.minutes"),
    scheduleMinutes: limit("schedule.minutes"),
  };
}

function lookOf(text: Read): InstanceSettings["look"] {
  const look = (key: string) => text("customizations", key);
  return {
    appName: look("appName"),
    platformName: look("platformName"),
    isLogoShown: look("displayLogo") === "true",
    logoUrl: look("logoURL"),
    signOutUrl: look("signOutUrl"),
    communityUrl: look("communityUrl"),
  };
}

function storageOf(text: Read, group: WorkspaceType): WorkspaceStorage {
  const max = text(group, "max.storage.size");
  return { defaultBytes: workspaceBytes(text(group, "storage.size")) ?? 0, maxBytes: workspaceBytes(max) ?? 0, max };
}
