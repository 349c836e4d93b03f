import type { SettingConfig, SettingGroup } from "../../../api/queries/instance-settings.ts";

/** Values that were typed and not yet saved, by `group/key`. */
export type Drafts = Readonly<Record<string, string>>;

/** The key of a setting in the drafts. It contains no dot, because forms interpret a dot in a field name as a nested member. */
export function pathOf(group: Pick<SettingGroup, "key">, setting: Pick<SettingConfig, "key">): string {
  return `${group.key}/${setting.key}`.replaceAll(".", ":");
}

/** Finds the draft that an error refers to. @param wanted the groups that were sent */
export function draftOfFault({ path }: { path: string }, wanted: readonly SettingGroup[]): string | undefined {
  const [, at, config] = /^\/(\d+)\/config\/(\d+)/.exec(path) ?? [];
  const group = wanted[Number(at)];
  const setting = group?.config?.[Number(config)];
  return group && setting && pathOf(group, setting);
}

/** Whether the typed value differs from the stored one. Leaving a secret empty keeps it. */
export function isDraftChanged(setting: SettingConfig, draft: string | undefined): boolean {
  return draft !== undefined && draft !== (setting.value ?? "");
}

/** The body of the request that saves the drafts. It contains only changed values. */
export function changedSettings(groups: readonly SettingGroup[], drafts: Drafts): { wanted: SettingGroup[]; count: number } {
  const wanted = groups.flatMap((group) => {
    const config = (group.config ?? [])
      .filter((setting) => isDraftChanged(setting, drafts[pathOf(group, setting)]))
      .map((setting) => ({ key: setting.key, value: drafts[pathOf(group, setting)] ?? "" }));
    return config.length === 0 ? [] : [{ key: group.key ?? "", config }];
  });
  return { wanted, count: wanted.reduce((sum, { config }) => sum + config.length, 0) };
}

/** If a stored secret must be entered again because another setting changed, the label of that setting; otherwise undefined. */
export function whyRepeat(group: SettingGroup, setting: SettingConfig, drafts: Drafts): string | undefined {
  if (!isStoredChanged(setting) || drafts[pathOf(group, setting)] || !setting.sentTo?.length) return undefined;
  const places = (group.config ?? []).filter(({ key }) => setting.sentTo?.includes(key));
  // Without a server nothing is sent; an empty address means the public service.
  if (places.some((place) => place.type === "text" && drafts[pathOf(group, place)] === "")) return undefined;
  const moved = places.find((place) => isDraftChanged(place, drafts[pathOf(group, place)]));
  return moved && (moved.label ?? moved.key);
}

/** The labels of all secrets that must be entered again before these drafts can be saved. */
export function secretsToRepeat(groups: readonly SettingGroup[], drafts: Drafts): string[] {
  return groups.flatMap((group) =>
    (group.config ?? []).filter((setting) => whyRepeat(group, setting, drafts) !== undefined).map(({ key, label }) => label ?? key),
  );
}

/** Whether the stored value differs from the default; for a secret, whether one is set. */
export function isStoredChanged({ type, value, defaultValue, placeholder }: SettingConfig): boolean {
  return type === "secured" ? placeholder === "Set" : (value ?? "") !== (defaultValue ?? "");
}
