import type { InvitationState } from "@millrace/contract/identity/invitation.ts";
import { invitationLimits } from "@millrace/contract/identity/invitation.ts";
import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

/** Invitations to teams. Whether one is open is determined by the database's clock. */

export interface InvitationRow {
  id: string;
  teamId: string;
  email: string;
  role: TeamRole;
  state: InvitationState;
  /** Number of its current link, from 1. */
  links: number;
  linkSalt: Buffer;
  linkHash: Buffer;
  inviterId: string | null;
  inviterName: string;
  isByAdministrator: boolean;
  createdAt: Date;
  expiresAt: Date;
  /** Outcome of the last email; null: none was sent, or it is too old to be known. */
  mailStatus: "waiting" | "pending" | "delivered" | "dead" | null;
  mailError: string | null;
}

export const invitationColumns = (db: Queryable) => db`
  i.id, i.team_id as "teamId", i.email, i.role, i.links, i.link_salt as "linkSalt", i.link_hash as "linkHash", i.inviter_id as "inviterId",
  i.inviter_name as "inviterName", i.is_by_administrator as "isByAdministrator", i.created_at as "createdAt", i.expires_at as "expiresAt",
  case when i.accepted_at is not null then 'used' when i.revoked_at is not null then 'revoked'
    when i.expires_at <= (select db_now()) then 'expired' else 'pending' end as state,
  d.status as "mailStatus", d.last_error as "mailError"`;

/** With the outcome of the last email: `d`. */
export const fromInvitations = (db: Queryable) => db`
  from invitation i left join lateral (
    select status, last_error from delivery where team_id = i.team_id and event_id = i.mail_event_id order by id desc limit 1) d on true`;

export interface NewInvitationRow {
  teamId: string;
  email: string;
  role: TeamRole;
  linkSalt: Buffer;
  linkHash: Buffer;
  inviterId: string | null;
  inviterName: string;
  isByAdministrator: boolean;
}

/** A second invitation of the same address replaces the first with its link (index invitation_open). */
export async function saveInvitation(db: Queryable, row: NewInvitationRow): Promise<{ id: string; links: number }> {
  const [saved] = await db<{ id: string; links: number }[]>`
    insert into invitation as i (team_id, email, role, link_salt, link_hash, inviter_id, inviter_name, is_by_administrator, expires_at)
    values (${row.teamId}, ${row.email}, ${row.role}, ${row.linkSalt}, ${row.linkHash}, ${row.inviterId}, ${row.inviterName},
      ${row.isByAdministrator}, (select db_now()) + make_interval(days => ${invitationLimits.days}))
    on conflict (team_id, email) where accepted_at is null and revoked_at is null do update set
      role = excluded.role, link_salt = excluded.link_salt, link_hash = excluded.link_hash, inviter_id = excluded.inviter_id,
      inviter_name = excluded.inviter_name, is_by_administrator = excluded.is_by_administrator, expires_at = excluded.expires_at,
      links = i.links + 1, linked_at = (select db_now()), mail_event_id = null
    returning id, links`;
  return saved!;
}

export async function setMailEvent(db: Queryable, teamId: string, id: string, eventId: string): Promise<void> {
  await db`update invitation set mail_event_id = ${eventId} where team_id = ${teamId} and id = ${id}`;
}

/** An invitation of that team. */
export async function findInvitation(db: Queryable, teamId: string, id: string): Promise<InvitationRow | undefined> {
  const [row] = await db<
    InvitationRow[]
  >`select ${invitationColumns(db)} ${fromInvitations(db)} where i.team_id = ${teamId} and i.id = ${id}`;
  return row;
}

/** The latest first (index invitation_team). */
export async function queryInvitations(
  db: Queryable,
  teamId: string,
  { isOpen, limit, offset }: { isOpen: boolean; limit: number; offset: number },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const open = isOpen ? db`and i.accepted_at is null and i.revoked_at is null` : db``;
  const rows = await db<InvitationRow[]>`
    select ${invitationColumns(db)} ${fromInvitations(db)} where i.team_id = ${teamId} ${open} order by i.id desc limit ${limit} offset ${offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from invitation i where i.team_id = ${teamId} ${open}`;
  return { rows, total: count!.total };
}

/** Open invitations of the team except that of this address, and its links of the last hour. */
export async function countInvitations(db: Queryable, teamId: string, email: string): Promise<{ open: number; linksOfHour: number }> {
  const [row] = await db<{ open: number; linksOfHour: number }[]>`
    select count(*) filter (where accepted_at is null and revoked_at is null and email <> ${email})::int as open,
      coalesce(sum(links) filter (where linked_at > (select db_now()) - interval '1 hour'), 0)::int as "linksOfHour"
    from invitation where team_id = ${teamId}`;
  return row!;
}

/** Undefined if it is no longer open. */
export async function revokeInvitation(db: Queryable, teamId: string, id: string): Promise<{ email: string; role: TeamRole } | undefined> {
  const [row] = await db<{ email: string; role: TeamRole }[]>`
    update invitation set revoked_at = (select db_now())
    where team_id = ${teamId} and id = ${id} and accepted_at is null and revoked_at is null returning email, role`;
  return row;
}

/** Invitations of the team by these people, who may no longer invite. */
export async function revokeInvitationsOf(db: Queryable, teamId: string, inviterIds: readonly string[]): Promise<void> {
  await db`
    update invitation set revoked_at = (select db_now())
    where team_id = ${teamId} and inviter_id = any(${[...inviterIds]}) and accepted_at is null and revoked_at is null`;
}

export async function setInvitationAccepted(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`update invitation set accepted_at = (select db_now()) where team_id = ${teamId} and id = ${id}`;
}
