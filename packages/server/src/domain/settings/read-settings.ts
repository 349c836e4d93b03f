import { type InstanceSettings, toInstanceSettings } from "../../core/settings/instance-settings.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readStoredSettings } from "../../store/settings/settings.ts";

/** The settings as they are now: one statement. Where each statement counts, `LiveSettings` remembers them. */
export async function readSettings(db: Queryable): Promise<InstanceSettings> {
  const { values, revision } = await readStoredSettings(db);
  return toInstanceSettings(values, revision);
}
