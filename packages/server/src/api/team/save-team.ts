import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { Team, TeamRequest } from "@millrace/contract/team/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { changeTeam as change, holdTeam } from "../../domain/team/change-team.ts";
import { createTeam as create } from "../../domain/team/teams.ts";
import { isPerson } from "../../policy/allows.ts";
import { mayChangeApproverGroups, mayCreateTeam, mayGrantRole } from "../../policy/teams.ts";
import type { Transaction } from "../../store/database/database.ts";
import { listMembers, type MemberRow } from "../../store/team/members.ts";
import { findTeam, type TeamRow } from "../../store/team/teams.ts";
import type { Context, Principal } from "../endpoint.ts";
import { inviteCheck } from "../identity/invite-check.ts";
import { readTeamRequest, requireGiven, requireOptInRight, requireRetentionRight } from "./read-team-request.ts";
import { viewMember, viewTeam } from "./team.view.ts";

/** What the endpoints of a team and a set of documents have in common when a team is saved: permissions, and audit records. */

type Saver = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "principal" | "principalUnderLock" | "keyring" | "audit" | "services"
>;

/** @throws PERMISSION_DENIED, TEAM_NON_UNIQUE_NAME, VALIDATION_FAILED */
export async function saveNewTeam(context: Omit<Saver, "principalUnderLock">, body: TeamRequest): Promise<Team> {
  const { db, principal, keyring, audit, services } = context;
  requireCreator(principal);
  const wanted = await readTeamRequest(db, body, principal);
  requireOptInRight(principal, wanted, { allowHostNetwork: false, allowPrivileged: false });
  const named = { name: requireGiven("name", wanted.name), displayName: requireGiven("displayName", wanted.displayName) };
  const checkInvited = await inviteCheck(db, services, principal, undefined);
  const made = await create(db, { ...wanted, ...named }, keyring, {
    creatorId: isPerson(principal) ? principal.userId : undefined,
    checkInvited,
  });
  const view = await viewTeam(db, (await findTeam(db, made.id))!);
  audit({ kind: "team", id: view.id, name: view.name, after: withMembers(view, await listMembers(db, made.id)) });
  return view;
}

/** @throws PERMISSION_DENIED */
export function requireCreator(principal: Principal): void {
  if (!mayCreateTeam(principal)) throw new AppError("PERMISSION_DENIED", ["this token can't create teams; it lacks team/write"]);
}

export interface ChangedTeam {
  /** With the members that the request is about. */
  before: Team;
  after: Team;
  /** As it is read now. */
  view: Team;
  rows: { before: TeamRow; after: TeamRow };
}

/**
 * Locks the team until the transaction ends. The caller names it in the audit record.
 * @throws PERMISSION_DENIED, TEAM_NON_UNIQUE_NAME, VALIDATION_FAILED
 */
export async function saveTeam(
  { db, principalUnderLock, keyring, services }: Omit<Saver, "principal" | "audit">,
  team: { id: string; name: string },
  body: TeamRequest,
): Promise<ChangedTeam> {
  const row = await holdTeam(db, team);
  const principal = await principalUnderLock();
  const wanted = await readTeamRequest(db, body, principal);
  if (wanted.approverGroups.length > 0 && !mayChangeApproverGroups(principal, team.id)) {
    throw new AppError("PERMISSION_DENIED", [
      `changing approver groups needs the permission team/grant in team ${team.name} (owners and administrators)`,
    ]);
  }
  requireOptInRight(principal, wanted, row);
  requireRetentionRight(principal, team.id, wanted, row.retention);
  const before = await viewTeam(db, row);
  const mayGrant = (role: TeamRole) => mayGrantRole(principal, team.id, role);
  const checkInvited = await inviteCheck(db, services, principal, team.id);
  const people = await change(db, row, wanted, { keyring, mayGrant, checkInvited });
  const changed = await holdTeam(db, team);
  const view = await viewTeam(db, changed);
  const shown = { before: withMembers(before, people.before), after: withMembers(view, people.after) };
  return { ...shown, view, rows: { before: row, after: changed } };
}

/** For the record: the team with the affected members, because the team itself shows only the first members. */
export const withMembers = (team: Team, members: readonly MemberRow[]) => ({ ...team, members: members.map(viewMember) });
