import type { SettingConfig, SettingGroup } from "../../../api/queries/settings.ts";

/** What was typed and not saved, by `group/key`. */
export type Drafts = Readonly<Record<string, string>>;

/** Where a setting stands in the drafts. A form takes a dot in the name of a field for a member inside it, so there is none. */
export function pathOf(group: Pick<SettingGroup, "key">, setting: Pick<SettingConfig, "key">): string {
  return `${group.key}/${setting.key}`.replaceAll(".", ":");
}

/** The draft that a refusal is about. @param wanted what was sent */
export function draftOfFault({ path }: { path: string }, wanted: readonly SettingGroup[]): string | undefined {
  const [, at, config] = /^\/(\d+)\/config\/(\d+)/.exec(path) ?? [];
  const group = wanted[Number(at)];
  const setting = group?.config?.[Number(config)];
  return group && setting && pathOf(group, setting);
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

/** The label of the changed setting because of which a stored secret has to be entered again; undefined: it has not. */
export function whyRepeat(group: SettingGroup, setting: SettingConfig, drafts: Drafts): string | undefined {
  if (!isStoredChanged(setting) || drafts[pathOf(group, setting)] || !setting.sentTo?.length) return undefined;
  const places = (group.config ?? []).filter(({ key }) => setting.sentTo?.includes(key));
  // Without a server nothing is sent; an address that is left empty means the public service.
  if (places.some((place) => place.type === "text" && drafts[pathOf(group, place)] === "")) return undefined;
  const moved = places.find((place) => isDraftChanged(place, drafts[pathOf(group, place)]));
  return moved && (moved.label ?? moved.key);
}

/** Labels of all secrets that have to be entered again before these drafts can be saved. */
export function secretsToRepeat(groups: readonly SettingGroup[], drafts: Drafts): string[] {
  return groups.flatMap((group) =>
    (group.config ?? []).filter((setting) => whyRepeat(group, setting, drafts) !== undefined).map(({ key, label }) => label ?? key),
  );
}

/** Whether the stored value is another than the default; of a secret, whether one is set. */
export function isStoredChanged({ type, value, defaultValue, placeholder }: SettingConfig): boolean {
  return type === "secured" ? placeholder === "Set" : (value ?? "") !== (defaultValue ?? "");
}
