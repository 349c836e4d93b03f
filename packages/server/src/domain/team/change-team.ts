import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RetentionDays, TeamRetention } from "@millrace/contract/retention.ts";
import { type Quotas, quotaNames } from "@millrace/contract/team/quota.ts";
import { type ApproverGroupRequest, type TeamMember, type TeamStatus, type TeamType, teamLimits } from "@millrace/contract/team/team.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { sealParams } from "../../core/parameter/secret-params.ts";
import { teamParametersPlace } from "../../core/secret/sealed-places.ts";
import { labelFaults, mergeLabels } from "../../core/workflow/labels.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { holdSubmissions } from "../../store/team/team-limits.ts";
import { lockTeam, type TeamFields, type TeamRow, updateTeam } from "../../store/team/teams.ts";
import { sealAgain } from "../secret/seal-again.ts";
import { keepProtectedSecrets } from "../workflow/publish/protect-secret.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { setApproverGroups, tooMany } from "./approver-groups.ts";
import { type MemberChange, type MemberRights, setMembers } from "./team-members.ts";
import { requireFreeTeamName, toTeamName } from "./team-name.ts";

/** The requested changes to a team. Undefined and empty members stay unchanged. */
export interface TeamChange {
  name?: string | undefined;
  displayName?: string | undefined;
  status?: TeamStatus | undefined;
  type?: TeamType | undefined;
  externalRef?: string | undefined;
  /** null removes one. */
  labels: Record<string, string | null>;
  /** Secrets in clear. */
  parameters: readonly AbstractParam[];
  allowHostNetwork?: boolean | undefined;
  allowPrivileged?: boolean | undefined;
  /** null removes the team's own value. */
  retention: TeamRetention;
  /** Only the given ones change. */
  quotas: Quotas;
  members: readonly TeamMember[];
  approverGroups: readonly ApproverGroupRequest[];
}

/** What changing a team needs besides the transaction. */
interface TeamRights extends MemberRights {
  keyring: Keyring;
}

/** @param team as `holdTeam` returned it in this transaction */
export async function changeTeam(
  db: Queryable,
  team: TeamRow,
  change: TeamChange,
  { keyring, ...rights }: TeamRights,
): Promise<MemberChange> {
  const name = change.name === undefined ? team.name : toTeamName(change.name);
  if (name !== team.name) await requireFreeTeamName(db, name);
  await refuseLongerRetention(db, team.retention, change.retention);
  const parameters = mergeParameters(team, change.parameters, keyring);
  if (change.parameters.length > 0) await keepProtectedSecrets(db, team.id, parameters);
  if (change.status === "inactive" && team.status === "active") await holdSubmissions(db, team.id);
  const isWritten = await updateTeam(db, team.id, { ...changedFields(team, change), name, parameters });
  if (!isWritten) throw new AppError("TEAM_NON_UNIQUE_NAME", [name, "taken"]);
  const members = await setMembers(db, team.id, change.members, rights);
  await setApproverGroups(db, team.id, change.approverGroups);
  return members;
}

/** The fields of a team after a change, except its name and parameters. @throws VALIDATION_FAILED for too many labels */
export function changedFields(team: TeamFields, change: TeamChange): TeamFields {
  const labels = mergeLabels(team.labels, change.labels);
  refuseFaults(labelFaults(labels));
  return {
    ...team,
    ...givenQuotas(change.quotas),
    displayName: change.displayName ?? team.displayName,
    status: change.status ?? team.status,
    type: change.type ?? team.type,
    externalRef: change.externalRef ?? team.externalRef,
    labels,
    allowHostNetwork: change.allowHostNetwork ?? team.allowHostNetwork,
    allowPrivileged: change.allowPrivileged ?? team.allowPrivileged,
    retention: mergeLabels({ ...team.retention }, { ...change.retention }),
  };
}

function givenQuotas(quotas: Quotas): Quotas {
  return Object.fromEntries(quotaNames.filter((name) => typeof quotas[name] === "number").map((name) => [name, quotas[name]]));
}

/** Added, or replaced by name; an empty secret stays unchanged. @throws VALIDATION_FAILED if they become too many */
export function mergeParameters(
  team: Pick<TeamRow, "id" | "parameters">,
  given: readonly AbstractParam[],
  keyring: Keyring,
): AbstractParam[] {
  const misplaced = given.findIndex(({ teams }) => teams !== undefined);
  if (misplaced >= 0) refuseFaults([{ path: `/parameters/${misplaced}/teams`, message: "is for global parameters only" }]);
  const names = new Set(given.map(({ name }) => name));
  const stored = team.parameters.filter(({ name }) => names.has(name));
  const seal = sealAgain(keyring, teamParametersPlace(team.id), stored);
  const sealed = sealParams(given, team.parameters, seal, "/parameters");
  const merged = [...new Map([...team.parameters, ...sealed].map((parameter) => [parameter.name, parameter])).values()];
  refuseFaults(tooMany("/parameters", merged.length, teamLimits.parameters));
  refuseFaults(tooLarge(merged, team.parameters));
  return merged;
}

/** A team that exceeded this limit before it existed may reduce the number step by step. */
function tooLarge(merged: readonly AbstractParam[], present: readonly AbstractParam[]): ErrorDetail[] {
  const [bytes, before] = [merged, present].map((parameters) => Buffer.byteLength(JSON.stringify(parameters))) as [number, number];
  if (bytes <= teamLimits.parameterBytes || bytes <= before) return [];
  return [
    { path: "/parameters", message: `would take ${bytes} bytes; those of a team can take at most ${teamLimits.parameterBytes} together` },
  ];
}

/**
 * A team may keep its history for a shorter time than the instance, not for a longer one. Its current value may be sent back, even if the
 * instance's has become shorter since.
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

/** The team, locked until the transaction ends; it may have been deleted since the request arrived. */
export async function holdTeam(db: Queryable, { id, name }: { id: string; name: string }): Promise<TeamRow> {
  const team = await lockTeam(db, id);
  if (team === undefined) throw new AppError("TEAM_INVALID_REF", [name]);
  return team;
}
