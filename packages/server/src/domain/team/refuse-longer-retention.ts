import type { RetentionDays, TeamRetention } from "@millrace/contract/retention.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../settings/read-settings.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";

/**
 * A team may keep its history for a shorter time than the instance, not for a longer one. What it has already may be sent back,
 * also when the instance has become shorter since.
 *
 * @throws VALIDATION_FAILED naming the days of the instance
 */
export async function refuseLongerRetention(db: Queryable, present: RetentionDays, wanted: TeamRetention): Promise<void> {
  const changed = (["runs", "logs", "deliveries"] as const).filter((kind) => wanted[kind] != null && wanted[kind] !== present[kind]);
  if (changed.length === 0) return;
  const { retention } = await readSettings(db);
  refuseFaults(
    changed
      .filter((kind) => retention[kind] !== 0 && wanted[kind]! > retention[kind])
      .map((kind) => ({
        path: `/retention/${kind}`,
        message: `is ${wanted[kind]} days, but the instance keeps them for ${retention[kind]}; give at most that, or ask an administrator to change the setting history/${kind}`,
      })),
  );
}
