import type { TeamMember } from "@millrace/contract/team.ts";
import { type TeamRole, teamRoles } from "@millrace/contract/user.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isEmail, readEmail } from "../../base/text/email.ts";
import type { Queryable } from "../../store/database/database.ts";
import { ensureUsers, listUsersById } from "../../store/identity/users.ts";
import { isId } from "../../store/team/directory.ts";

/**
 * The users that a request names as members: by id, else by email address. Who is not known yet by an address is invited:
 * a user is made that is not active. When one stands twice, the last one counts.
 */
export async function findPeople(db: Queryable, members: readonly TeamMember[]): Promise<{ userId: string; role: TeamRole }[]> {
  const roles = members.map(readRole);
  const faults = members.flatMap((member, index) => whoFault(member, index));
  if (faults.length > 0) throw invalidMembers(faults);
  const ids = members.flatMap(({ id }) => (id ? [id.toLowerCase()] : []));
  const emails = members.flatMap(({ id, email }) => (!id && email ? [readEmail(email) ?? email] : []));
  const byId = new Map((await listUsersById(db, ids)).map((user) => [user.id, user]));
  const byEmail = new Map((emails.length === 0 ? [] : await ensureUsers(db, emails)).map((user) => [user.email, user]));
  const people = new Map<string, TeamRole>();
  for (const [index, { id, email }] of members.entries()) {
    const user = id ? byId.get(id.toLowerCase()) : byEmail.get(readEmail(email ?? "") ?? "");
    if (user === undefined) throw invalidMembers([{ path: `/members/${index}/id`, message: `is ${id}, but there is no such user` }]);
    people.set(user.id, roles[index]!);
  }
  return [...people].map(([userId, role]) => ({ userId, role }));
}

function readRole({ role }: TeamMember): TeamRole {
  const word = teamRoles.find((known) => known === role?.toLowerCase());
  if (word === undefined) throw new AppError("TEAM_INVALID_USER_ROLE", [role ?? "(missing)"]);
  return word;
}

function whoFault({ id, email }: TeamMember, index: number): ErrorDetail[] {
  const path = `/members/${index}`;
  if (id) return isId(id) ? [] : [{ path: `${path}/id`, message: `is ${JSON.stringify(id.slice(0, 80))}; it must be the id of a user` }];
  if (!email) return [{ path, message: "identifies no user; give id or email" }];
  return isEmail(email)
    ? []
    : [
        {
          path: `${path}/email`,
          message: `is ${JSON.stringify(email.slice(0, 80))}; it must be an email address without invisible characters, and with no capital letters except A to Z`,
        },
      ];
}

function invalidMembers(details: ErrorDetail[]): AppError {
  return new AppError("VALIDATION_FAILED", [`${details[0]?.path} ${details[0]?.message}`], { details });
}
