import { type InstanceSettings, type StoredSettings, settingPath, toInstanceSettings } from "../../core/settings/instance-settings.ts";
import type { QuotaOverrides } from "../../core/team/quota.ts";
import type { Queryable } from "../database/database.ts";

/** The settings that differ from the defaults, and their revision. */
export interface SettingsState {
  values: StoredSettings;
  /** Increases with every change. */
  revision: number;
}

/** All of them in one statement, so that revision and values belong together. */
export async function readStoredSettings(db: Queryable): Promise<SettingsState> {
  const [row] = await db<{ revision: number; groups: string[]; keys: string[]; values: string[] }[]>`
    select i.settings_revision as revision, s.groups, s.keys, s.values
    from instance i, lateral (
      select coalesce(array_agg(group_key order by group_key, key), '{}') as groups, coalesce(array_agg(key order by group_key, key), '{}') as keys,
             coalesce(array_agg(value order by group_key, key), '{}') as values from setting) s`;
  const { revision, groups, keys, values } = row!;
  return { revision, values: new Map(groups.map((group, at) => [settingPath(group, keys[at] as string), values[at] as string])) };
}

/** The settings in force, read with one statement. Where each statement counts, use `LiveSettings` (domain/settings/live-settings.ts). */
export async function readSettings(db: Queryable): Promise<InstanceSettings> {
  const { values, revision } = await readStoredSettings(db);
  return toInstanceSettings(values, revision);
}

/** When groups were last changed; unchanged ones are missing. */
export async function listSettingChanges(db: Queryable): Promise<Map<string, Date>> {
  const rows = await db<{ key: string; changedAt: Date }[]>`select key, changed_at as "changedAt" from setting_group`;
  return new Map(rows.map(({ key, changedAt }) => [key, changedAt]));
}

/** Serializes changes of settings: read the stored ones after this, in a new statement. */
export async function lockSettings(db: Queryable): Promise<void> {
  await db`select 1 from instance for no key update`;
}

export interface StoredSettingChange {
  group: string;
  key: string;
  /** Null: back to the default. */
  value: string | null;
}

/** Under `lockSettings`. @returns the new revision */
export async function writeSettings(db: Queryable, changes: readonly StoredSettingChange[]): Promise<number> {
  const kept = changes.filter(({ value }) => value !== null);
  const dropped = changes.filter(({ value }) => value === null);
  await db`
    insert into setting (group_key, key, value, changed_at)
    select g, k, v, (select db_now())
    from unnest(${kept.map(({ group }) => group)}::text[], ${kept.map(({ key }) => key)}::text[], ${kept.map(({ value }) => value)}::text[]) as c(g, k, v)
    on conflict (group_key, key) do update set value = excluded.value, changed_at = excluded.changed_at`;
  await db`
    delete from setting s using unnest(${dropped.map(({ group }) => group)}::text[], ${dropped.map(({ key }) => key)}::text[]) as c(g, k)
    where s.group_key = c.g and s.key = c.k`;
  await db`
    insert into setting_group (key, changed_at) select g, (select db_now()) from unnest(${[...new Set(changes.map(({ group }) => group))]}::text[]) as c(g)
    on conflict (key) do update set changed_at = excluded.changed_at`;
  const [row] = await db<{ revision: number }[]>`
    update instance set settings_revision = settings_revision + 1 returning settings_revision as revision`;
  return row!.revision;
}

/** The instance's quotas for teams without their own. */
export async function instanceQuotas(db: Queryable): Promise<QuotaOverrides> {
  return (await readSettings(db)).quotas;
}
