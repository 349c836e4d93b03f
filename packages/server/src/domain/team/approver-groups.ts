import { type ApproverGroupRequest, teamLimits } from "@millrace/contract/team/team.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { countOpenOfGroups } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  type ApproverGroupRow,
  findMembers,
  listApproverGroups,
  lockApproverGroups,
  deleteApproverGroups as remove,
  setApproverGroup,
} from "../../store/team/members.ts";
import { listProtectedBy } from "../../store/workflow/protections.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";

/**
 * Creates approver groups, or replaces the approvers of existing ones (found by name, ignoring case), if approvers are given. Only members
 * of the team can be approvers. The team must be locked.
 */
export async function setApproverGroups(db: Queryable, teamId: string, groups: readonly ApproverGroupRequest[]): Promise<void> {
  if (groups.length === 0) return;
  const named = groups.flatMap(({ approvers }) => approvers ?? []).map((reference) => reference.toLowerCase());
  const members = await findMembers(db, teamId, { ids: named, emails: named });
  const idOf = new Map(members.flatMap(({ userId, email }) => [[userId, userId] as const, [email, userId] as const]));
  const faults: ErrorDetail[] = [];
  const resolved = groups.map(({ name, approvers }, index) => ({
    name: name.trim(),
    userIds: approvers?.flatMap((reference, at) => {
      const userId = idOf.get(reference.toLowerCase());
      if (userId === undefined) {
        faults.push({
          path: `/approverGroups/${index}/approvers/${at}`,
          message: `is ${reference}; it must be the ID or email address of a member`,
        });
      }
      return userId ?? [];
    }),
  }));
  if (faults.length > 0) throw new AppError("VALIDATION_FAILED", [`${faults[0]?.path} ${faults[0]?.message}`], { details: faults });
  const present = (await listApproverGroups(db, [teamId])).map(({ name }) => name.toLowerCase());
  const names = new Set([...present, ...resolved.map(({ name }) => name.toLowerCase())]);
  refuseFaults(tooMany("/approverGroups", names.size, teamLimits.approverGroups));
  for (const { name, userIds } of resolved) await setApproverGroup(db, teamId, name, userIds);
}

/**
 * Deletes approver groups, named by id or name; unknown ones are no error. Answers those that there were. A group that has open actions
 * to decide stays, since nobody else could ever decide them. The team must be locked.
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
  const guarded = await listProtectedBy(db, teamId, ids);
  if (guarded.length > 0)
    throw new AppError("CONFLICT", [`Approver groups protect these: ${guarded.slice(0, 20).join(", ")}. Turn that protection off first`]);
  await remove(db, teamId, ids);
  return groups;
}

/** Each request is limited, but many of them add up. */
export function tooMany(path: string, count: number, max: number): ErrorDetail[] {
  return count <= max ? [] : [{ path, message: `would result in ${count}; a team can have at most ${max}` }];
}
