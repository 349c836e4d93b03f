import { databaseSettings } from "./database-settings.ts";
import { containerSettings, imageSettings, kubernetesSettings, processSettings } from "./executor-settings.ts";
import { networkSettings, outboundSettings } from "./network-settings.ts";
import type { Setting } from "./setting.ts";
import { signInSettings } from "./sign-in-settings.ts";
import { workerSettings } from "./worker-settings.ts";

/** All settings. docs/configuration.md is generated from this table. */
export const settings = {
  ...processSettings,
  ...databaseSettings,
  ...signInSettings,
  ...workerSettings,
  ...containerSettings,
  ...imageSettings,
  ...kubernetesSettings,
  ...outboundSettings,
  ...networkSettings,
};

/** The parsed settings. */
export type SettingValues = { [Key in keyof typeof settings]: (typeof settings)[Key] extends Setting<infer T> ? T : never };
