import type { SettingConfig, SettingGroup } from "../../../api/queries/settings.ts";

/** What was typed and not saved, by `group/key`. */
export type Drafts = Readonly<Record<string, string>>;

/** Where a setting stands in the drafts. */
export function pathOf(group: SettingGroup, setting: SettingConfig): string {
  return `${group.key}/${setting.key}`;
}

/** Whether what was typed is another value than the stored one. A secret that is left empty stays. */
export function isDraftChanged(setting: SettingConfig, draft: string | undefined): boolean {
  return draft !== undefined && draft !== (setting.value ?? "");
}

/** The body of the request that saves the drafts: only what is another than before. */
export function changedSettings(groups: readonly SettingGroup[], drafts: Drafts): { wanted: SettingGroup[]; count: number } {
  const wanted = groups.flatMap((group) => {
    const config = (group.config ?? [])
      .filter((setting) => isDraftChanged(setting, drafts[pathOf(group, setting)]))
      .map((setting) => ({ key: setting.key, value: drafts[pathOf(group, setting)] ?? "" }));
    return config.length === 0 ? [] : [{ key: group.key ?? "", config }];
  });
  return { wanted, count: wanted.reduce((sum, { config }) => sum + config.length, 0) };
}

/** Whether the stored value is another than the default; of a secret, whether one is set. */
export function isStoredChanged({ type, value, defaultValue, placeholder }: SettingConfig): boolean {
  return type === "secured" ? placeholder === "Set" : (value ?? "") !== (defaultValue ?? "");
}
