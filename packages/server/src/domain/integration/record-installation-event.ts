import { membersOf } from "../../base/text/members-of.ts";
import { namesOf } from "../../core/inbound/codehost-payload.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  changeRepositories,
  deleteInstallation,
  findInstallation,
  type InstallationRow,
  saveInstallation,
} from "../../store/integration/installations.ts";

/** For the audit: what it was and what it is. */
export interface InstallationChange {
  id: string;
  name: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Keeps in step with the platform: `installation` (created, deleted, suspend, unsuspend and what else tells its state) and
 * `installation_repositories` (added, removed). An installation of which the first event was missed is recorded with the next one.
 * Undefined when nothing changed.
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
    // The hour in which a team may link it begins with the platform's own notice.
    madeAt: event === "installation" && payload["action"] === "created" ? "now" : undefined,
  });
  return { id: saved.id, name: accountOf(data), ...(before && { before: shown(before) }), after: shown(saved) };
}

function statusOf(data: Readonly<Record<string, unknown>>): "active" | "suspended" {
  return typeof data["suspended_at"] === "string" ? "suspended" : "active";
}

/** What the platform says now, by a read. Undefined when it says nothing new. */
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
