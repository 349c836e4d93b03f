import { AppError } from "../../base/error/app-error.ts";
import { countOpenOfGroups } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import { type ApproverGroupRow, lockApproverGroups, deleteApproverGroups as remove } from "../../store/team/approver-groups.ts";

/**
 * Deletes approver groups, named by id or name; unknown ones are no error. Answers those that there were. A group that has open actions
 * to decide stays, since nobody else could ever decide them. The team must be held.
 */
export async function deleteApproverGroups(db: Queryable, teamId: string, references: readonly string[]): Promise<ApproverGroupRow[]> {
  const groups = await lockApproverGroups(db, teamId, references);
  const ids = groups.map(({ id }) => id);
  const open = await countOpenOfGroups(db, teamId, ids);
  const busy = groups.flatMap(({ id, name }) => (open.has(id) ? [`${name} (${open.get(id)})`] : []));
  if (busy.length > 0) {
    throw new AppError("CONFLICT", [
      `Open actions wait for these approver groups: ${busy.join(", ")}. Decide them or cancel their runs first`,
    ]);
  }
  await remove(db, teamId, ids);
  return groups;
}
