import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { namesOf } from "../../core/inbound/codehost-payload.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import {
  changeRepositories,
  deleteInstallation,
  findInstallation,
  type InstallationRow,
  linkInstallation,
  listLinkedTeams,
  lockInstallation,
  saveInstallation,
} from "../../store/integration/installations.ts";

/** What decides whether someone may link a team to an installation (policy/link-installation.ts). */
interface LinkFacts {
  teamId: string;
  /** It was created within the last hour. */
  isNew: boolean;
  linkedTeams: readonly string[];
}

/**
 * Links the team to the installation; doing so again has no effect. If two teams link a new installation at the same moment, the rule is
 * checked for one after the other.
 *
 * @throws AppError NOT_FOUND if it was deleted in the meantime, PERMISSION_DENIED
 */
export async function linkTeamToInstallation(
  tx: Transaction,
  teamId: string,
  { id, ref, isNew }: InstallationRow,
  mayLink: (facts: LinkFacts) => boolean,
): Promise<{ isNewLink: boolean }> {
  if (!(await lockInstallation(tx, id))) throw unknownInstallation(ref);
  const linkedTeams = await listLinkedTeams(tx, id);
  if (!mayLink({ teamId, isNew, linkedTeams })) throw notYours(ref);
  return { isNewLink: await linkInstallation(tx, teamId, id) };
}

/** @param ref the platform's number, or the id of the record. @throws AppError NOT_FOUND */
export async function requireInstallation(db: Queryable, ref: string): Promise<InstallationRow> {
  const installation = await findInstallation(db, ref);
  if (!installation) throw unknownInstallation(ref);
  return installation;
}

export function unknownInstallation(ref: string): AppError {
  return new AppError("NOT_FOUND", [`installation ${ref}; the codehost announces it with POST /api/v2/webhook when the app is installed`]);
}

/** The number of an installation isn't secret, so knowing it proves nothing. */
function notYours(ref: string): AppError {
  return new AppError("PERMISSION_DENIED", [
    `installation ${ref} is not new, or is linked to other teams: to link it, you need integration/write on the whole instance or in a team that is linked to it`,
  ]);
}

/** For the audit record: before and after. */
interface InstallationChange {
  id: string;
  name: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Follows the events of the platform: `installation` (created, deleted, suspend, unsuspend and others that contain its state) and
 * `installation_repositories` (added, removed). If the first event of an installation was missed, the next one records it. Undefined if
 * nothing changed.
 *
 * @param ref the platform's number of the installation
 */
export async function recordInstallationEvent(
  tx: Transaction,
  event: "installation" | "installation_repositories",
  ref: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<InstallationChange | undefined> {
  const before = await findInstallation(tx, ref);
  if (event === "installation" && payload["action"] === "deleted") {
    const deleted = await deleteInstallation(tx, ref);
    return deleted && { id: deleted.id, name: accountOf(deleted.data), before: shown(deleted) };
  }
  const data = { ...membersOf(payload["installation"]) };
  if (event === "installation_repositories" && before) {
    await changeRepositories(tx, ref, namesOf(payload["repositories_added"]), namesOf(payload["repositories_removed"]));
    const after = await findInstallation(tx, ref);
    return { id: before.id, name: accountOf(before.data), before: shown(before), after: after && shown(after) };
  }
  const repositories = payload["repositories"] ?? payload["repositories_added"];
  const saved = await saveInstallation(tx, {
    ref,
    data,
    status: payload["action"] === "suspend" ? "suspended" : statusOf(data),
    repositories: Array.isArray(repositories) ? namesOf(repositories) : undefined,
    // The hour in which a team may link it begins with the platform's own event.
    madeAt: event === "installation" && payload["action"] === "created" ? "now" : undefined,
  });
  return { id: saved.id, name: accountOf(data), ...(before && { before: shown(before) }), after: shown(saved) };
}

function statusOf(data: Readonly<Record<string, unknown>>): "active" | "suspended" {
  return typeof data["suspended_at"] === "string" ? "suspended" : "active";
}

/** The current state, read from the platform. Undefined if nothing changed. */
export async function recordLiveInstallation(
  tx: Transaction,
  ref: string,
  live: { data: Record<string, unknown>; isSuspended: boolean; repositories: string[] | undefined; createdAtMs: number | undefined },
): Promise<{ installation: InstallationRow; change: InstallationChange | undefined }> {
  const before = await findInstallation(tx, ref);
  const installation = await saveInstallation(tx, {
    ref,
    data: live.data,
    status: live.isSuspended ? "suspended" : "active",
    repositories: live.repositories,
    madeAt: live.createdAtMs === undefined ? undefined : new Date(live.createdAtMs),
  });
  const isSame = before && JSON.stringify(shown(before)) === JSON.stringify(shown(installation));
  const change = { id: installation.id, name: accountOf(live.data), ...(before && { before: shown(before) }), after: shown(installation) };
  return { installation, change: isSame ? undefined : change };
}

function accountOf(data: Readonly<Record<string, unknown>>): string {
  const login = membersOf(data["account"])["login"];
  return typeof login === "string" ? login : "";
}

function shown({ ref, status, repositories }: InstallationRow) {
  return { ref, status, repositories };
}
