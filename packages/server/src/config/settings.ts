import { containerSettings } from "./container-settings.ts";
import { databaseSettings } from "./database-settings.ts";
import { imageSettings } from "./image-settings.ts";
import { kubernetesSettings } from "./kubernetes-settings.ts";
import { networkSettings } from "./network-settings.ts";
import { outboundSettings } from "./outbound-settings.ts";
import { processSettings } from "./process-settings.ts";
import type { Setting } from "./setting.ts";
import { signInSettings } from "./sign-in-settings.ts";
import { workerSettings } from "./worker-settings.ts";

/** Every setting there is. docs/configuration.md is made from this table. */
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

/** What the settings are read into, each by itself. */
export type SettingValues = { [Key in keyof typeof settings]: (typeof settings)[Key] extends Setting<infer T> ? T : never };
