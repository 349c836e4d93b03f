import type { Queryable } from "../database/database.ts";
import { fromInvitations, type InvitationRow, invitationColumns } from "./invitations.ts";

/** Invitations by their link, which names no team: anyone with the link can join. */

export interface LinkedInvitation extends InvitationRow {
  teamName: string;
  teamDisplayName: string;
  /** The inviter can still sign in, or it was a token. */
  isInviterActive: boolean;
}

/**
 * By the hash of the link, in any state; none for a deleted team. Locked until the transaction ends if it is to be accepted: of two
 * concurrent acceptances the second sees the changes of the first.
 */
export async function findInvitationByLink(
  db: Queryable,
  linkHash: Buffer,
  { isHeld }: { isHeld: boolean },
): Promise<LinkedInvitation | undefined> {
  if (isHeld) await db`select 1 from invitation where link_hash = ${linkHash} for update`;
  const [row] = await db<LinkedInvitation[]>`
    select ${invitationColumns(db)}, team.name as "teamName", team.display_name as "teamDisplayName",
      i.inviter_id is null or exists (select from app_user u where u.id = i.inviter_id and u.status = 'active') as "isInviterActive",
      i.is_by_administrator and (i.inviter_id is null
        or exists (select from app_user u where u.id = i.inviter_id and u.type = 'admin')) as "isByAdministrator"
    ${fromInvitations(db)} join team on team.id = i.team_id and team.deleted_at is null
    where i.link_hash = ${linkHash}`;
  return row;
}

/** Removes those that ended long ago. */
export async function deleteOldInvitations(db: Queryable): Promise<void> {
  await db`delete from invitation where expires_at < (select db_now()) - interval '90 days'`;
}
