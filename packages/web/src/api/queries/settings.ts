import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type SettingGroup = components["schemas"]["Setting"];
export type SettingConfig = components["schemas"]["SettingConfig"];

/** Every group of settings with the values in force; secrets are empty. */
export const settingsQuery = queryOptions({ queryKey: ["settings"], queryFn: () => call(api.GET("/api/v2/settings")) });
