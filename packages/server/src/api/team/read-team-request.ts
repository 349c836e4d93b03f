import type { RetentionDays, TeamRetention } from "@millrace/contract/retention.ts";
import type { Quotas } from "@millrace/contract/team/quota.ts";
import { quotaNames } from "@millrace/contract/team/quota.ts";
import { type TeamRequest, type TeamStatus, type TeamType, teamStatuses, teamTypes } from "@millrace/contract/team/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { effectiveQuotas } from "../../core/team/quota.ts";
import type { TeamChange } from "../../domain/team/change-team.ts";
import { mayChangeRetention, mayOptIn, mayRaiseQuotas } from "../../policy/teams.ts";
import type { Queryable } from "../../store/database/database.ts";
import { instanceQuotas } from "../../store/settings/settings.ts";
import { given, invalidMember, wordOf } from "../body-members.ts";
import type { Principal } from "../endpoint.ts";

/**
 * The changes that a request asks for; null and blank texts mean "not given". Refuses invalid words and quotas above what the caller may
 * grant.
 */
export async function readTeamRequest(db: Queryable, request: TeamRequest, principal: Principal): Promise<TeamChange> {
  if (request.quotas && !mayRaiseQuotas(principal)) await requireWithinDefaults(db, request.quotas);
  return {
    name: given(request.name),
    displayName: given(request.displayName)?.trim(),
    status: wordOf("status", request.status, teamStatuses) as TeamStatus | undefined,
    type: wordOf("type", request.type, teamTypes) as TeamType | undefined,
    externalRef: given(request.externalRef),
    labels: request.labels ?? {},
    parameters: request.parameters ?? [],
    allowHostNetwork: request.allowHostNetwork ?? undefined,
    allowPrivileged: request.allowPrivileged ?? undefined,
    retention: knownDays(request.retention ?? {}),
    quotas: request.quotas ?? {},
    members: request.members ?? [],
    approverGroups: request.approverGroups ?? [],
  };
}

/** Unknown ones are ignored: if they were stored, they would seem to be in effect. */
function knownDays({ runs, logs, deliveries }: TeamRetention): TeamRetention {
  const given = Object.entries({ runs, logs, deliveries }).filter(([, days]) => days !== undefined);
  return Object.fromEntries(given);
}

/** For the two members that a new team must have. */
export function requireGiven(name: "name" | "displayName", value: string | undefined): string {
  if (value !== undefined) return value;
  throw invalidMember(name, "is missing or blank");
}

const optInReasons = {
  allowHostNetwork: "it gives tasks the network of this machine",
  allowPrivileged: "steps with privileges can do anything on a machine that runs them",
} as const;

/** A client that changes a team may send back what it read. @param present the current value */
export function requireOptInRight(principal: Principal, wanted: TeamChange, present: Record<keyof typeof optInReasons, boolean>): void {
  if (mayOptIn(principal)) return;
  for (const name of ["allowHostNetwork", "allowPrivileged"] as const)
    if (wanted[name] !== undefined && wanted[name] !== present[name])
      throw new AppError("PERMISSION_DENIED", [`only an administrator can set ${name}, since ${optInReasons[name]}`]);
}

/** @param present the team's own days, which a client may send back as it read them */
export function requireRetentionRight(principal: Principal, teamId: string, { retention }: TeamChange, present: RetentionDays): void {
  const isChanged = (["runs", "logs", "deliveries"] as const).some(
    (kind) => retention[kind] !== undefined && (retention[kind] ?? undefined) !== present[kind],
  );
  if (!isChanged || mayChangeRetention(principal, teamId)) return;
  throw new AppError("PERMISSION_DENIED", [
    "changing retention removes history, so it needs the permission team/delete (owners and administrators)",
  ]);
}

async function requireWithinDefaults(db: Queryable, quotas: Quotas): Promise<void> {
  const defaults = effectiveQuotas({}, await instanceQuotas(db));
  for (const name of quotaNames) {
    const wanted = quotas[name];
    if (typeof wanted !== "number" || wanted <= defaults[name]) continue;
    throw new AppError("PERMISSION_DENIED", [
      `${name} ${wanted} is above the instance's default of ${defaults[name]}; an administrator can raise it`,
    ]);
  }
}
