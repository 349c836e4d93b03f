import { alertSettings } from "./alert-settings.ts";
import { apiSettings } from "./api-settings.ts";
import { customizationSettings } from "./customization-settings.ts";
import type { SettingDefinition, SettingGroup } from "./definition.ts";
import { featureSettings } from "./feature-settings.ts";
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
