import { ref } from "@millrace/contract/schema.ts";
import { type Setting, type SettingConfig, type SettingType, setting, settingInput } from "@millrace/contract/settings/setting.ts";
import Type from "typebox";
import type { SettingDefinition, SettingGroup } from "../../core/settings/definition.ts";
import { type StoredSettings, settingGroups, settingPath, settingText } from "../../core/settings/instance-settings.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { type ChangedSetting, changeSettings as change } from "../../domain/settings/change-settings.ts";
import { mayDoEverything } from "../../policy/users.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listSettingChanges, readStoredSettings } from "../../store/settings/settings.ts";
import { defineEndpoint } from "../endpoint.ts";

export const listSettings = defineEndpoint({
  method: "GET",
  path: "/api/v2/settings",
  summary: "List the settings of the instance",
  description: "All groups with all settings, changed or not; docs/settings.md describes each. Secrets read as empty text.",
  tag: "System",
  permission: "system/read",
  transaction: "read",
  response: Type.Array(ref(setting)),
  handle: ({ db }) => viewSettings(db),
});

export const changeSettings = defineEndpoint({
  method: "PUT",
  path: "/api/v2/settings",
  summary: "Change settings of the instance",
  description:
    "Groups are found by `id` (or `key`), settings by `key`. Only `value` is read, as text, number or boolean. Settings that are left out and empty secrets don't change. " +
    "Either all changes are made or none. Only administrators can change the chat's signing secret and API address, since these decide who a chat user is. Returns all groups. All processes use the new values within 2 seconds.",
  tag: "System",
  permission: "system/write",
  transaction: "write",
  body: Type.Array(ref(settingInput), {
    maxItems: 100,
    examples: [[{ id: "teams", config: [{ key: "max.workflowrun.concurrent", value: 8 }] }]],
  }),
  response: Type.Array(ref(setting)),
  async handle({ db, body, principal, keyring, services, audit, afterCommit }) {
    const done = await change(db, keyring, body, { mayVouch: mayDoEverything(principal) });
    for (const { group, before, after } of auditedChanges(done?.changes ?? []))
      audit({ kind: "setting", id: group, name: group, before, after });
    afterCommit(() => {
      if (done === undefined) return;
      services.runs.settings.forget(done.revision);
      // A raised quota allows queued runs to start.
      services.bus.wake(channels.engine);
    });
    return viewSettings(db);
  },
});

/** All groups with the current values; secrets are empty. */
async function viewSettings(db: Queryable): Promise<Setting[]> {
  const { values } = await readStoredSettings(db);
  const changes = await listSettingChanges(db);
  return settingGroups.map((group) => viewGroup(group, values, changes.get(group.key)));
}

function viewGroup(group: SettingGroup, values: StoredSettings, changedAt: Date | undefined): Setting {
  const lastModified = changedAt?.toISOString() ?? null;
  return {
    id: group.key,
    key: group.key,
    name: group.name,
    description: group.description,
    type: "ValuesList",
    lastModified,
    lastModiifed: lastModified,
    config: group.settings.map((definition) => viewSetting(group.key, definition, values)),
  };
}

function viewSetting(group: string, definition: SettingDefinition, values: StoredSettings): SettingConfig {
  const { key, label, description, default: defaultValue } = definition;
  return {
    key,
    label,
    description,
    type: shownType(definition),
    value: settingText(values, group, key),
    defaultValue,
    required: !mayBeEmpty(definition),
    readOnly: false,
    hiddenValue: definition.type === "secured",
    ...(definition.type === "select" && { options: definition.options.map(({ key, value = key }) => ({ key, value })) }),
    ...(definition.type === "text" && { maxValueLength: definition.maxLength }),
    ...hintsOf(definition, values.has(settingPath(group, key))),
  };
}

function shownType({ type }: SettingDefinition): SettingType {
  return type === "size" || type === "gibibytes" ? "text" : type;
}

function mayBeEmpty(definition: SettingDefinition): boolean {
  if (definition.type === "text") return definition.isRequired !== true;
  // A form that takes `required` of a switch to mean "must be on" could never turn it off.
  return definition.type === "url" || definition.type === "secured" || definition.type === "boolean";
}

function hintsOf(definition: SettingDefinition, isStored: boolean): Partial<SettingConfig> {
  switch (definition.type) {
    case "number":
      return { helperText: `A whole number from ${definition.minimum} to ${definition.maximum}` };
    case "size":
      return { helperText: "A size such as 512Mi or 2Gi" };
    case "gibibytes":
      return { helperText: "Whole gibibytes, such as 2Gi" };
    case "url":
      return { helperText: "A URL that starts with https:// or http://" };
    case "secured":
      return {
        placeholder: isStored ? "Set" : "Not set",
        helperText: "Leave empty to keep the stored value",
        ...(definition.form === "pem" && { language: "pem" }),
        ...(definition.sentTo.length > 0 && { sentTo: [...definition.sentTo] }),
      };
    default:
      return {};
  }
}

/** The audit records of a change, one per group; of secrets only that they were set. */
function auditedChanges(changes: readonly ChangedSetting[]): { group: string; before: object; after: object }[] {
  const groups = [...new Set(changes.map(({ group }) => group))];
  return groups.map((group) => {
    const own = changes.filter((change) => change.group === group);
    return {
      group,
      before: { config: own.map((change) => audited(change, change.before)) },
      after: { config: own.map((change) => audited(change, change.after)) },
    };
  });
}

function audited({ key, isSecret }: ChangedSetting, value: string): object {
  return { key, value, ...(isSecret && { hiddenValue: true }) };
}
