import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { language } from "../../texts/language.ts";
import { api, call } from "../client.ts";

export type SettingGroup = components["schemas"]["Setting"];
export type SettingConfig = components["schemas"]["SettingConfig"];

/** All groups of settings with their current values; secrets are empty. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: async () => inOwnLanguage(await call(api.GET("/api/v2/settings"))),
});

/** Changes those settings only. @returns all groups, as `settingsQuery` has them */
export const saveSettings = async (body: components["schemas"]["SettingInput"][]) =>
  inOwnLanguage(await call(api.PUT("/api/v2/settings", { body })));

/** The service describes its settings in English. The descriptions in another language are loaded only where they are shown. */
async function inOwnLanguage(groups: SettingGroup[]): Promise<SettingGroup[]> {
  if (language !== "de") return groups;
  const { settingsInGerman } = await import("../german-settings.ts");
  return settingsInGerman(groups);
}
