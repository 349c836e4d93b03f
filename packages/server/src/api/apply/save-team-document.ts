import { quotaNames } from "@millrace/contract/team/quota.ts";
import type { Team, TeamRequest } from "@millrace/contract/team/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { toTeamName } from "../../domain/team/team-name.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import { findTeamReference } from "../../store/team/directory.ts";
import type { Permission, Principal } from "../endpoint.ts";
import { requireCreator, saveNewTeam, saveTeam } from "../team/save-team.ts";
import { type ApplyContext, changesSecrets, type SavedDocument } from "./apply-context.ts";
import type { SetDocument } from "./read-set.ts";

const permission: Permission = "team/write";

/** Found by its name as a slug. A new team requires the permission to create teams, an existing one the permission to change it. */
export async function saveTeamDocument(given: ApplyContext, { input }: Extract<SetDocument, { form: "team" }>): Promise<SavedDocument> {
  const context = { ...given, audit: (object: Parameters<typeof given.audit>[0]) => given.audit({ action: permission, ...object }) };
  const name = toTeamName(input.name ?? "");
  const present = await findTeamReference(context.db, name);
  if (present === undefined) {
    const created = await saveNewTeam(context, { ...input, displayName: input.displayName ?? name });
    const view = await withStatus(context, created, input);
    return { name: view.name, id: view.id, before: undefined, after: shown(view), isSame: false };
  }
  if (!canSeeTeam(context.principal, present.id)) {
    // Callers who can't create a team don't learn from this whether it exists.
    requireCreator(context.principal);
    throw new AppError("TEAM_NON_UNIQUE_NAME", [name, "taken"]);
  }
  const requireRight = (principal: Principal) => {
    if (allows(principal, permission, present.id)) return principal;
    throw new AppError("PERMISSION_DENIED", [`this needs the permission ${permission} in team ${name}`]);
  };
  requireRight(context.principal);
  // The right may have been taken away while another change locked the team.
  const principalUnderLock = async () => requireRight(await context.principalUnderLock());
  const { before, after, view, rows } = await saveTeam({ ...context, principalUnderLock }, present, { ...input, name });
  const isSame = isSameJson([rows.before, shown(before)], [rows.after, shown(after)]);
  if (!isSame) context.audit({ kind: "team", id: present.id, name: view.name, before, after });
  return {
    name: view.name,
    id: present.id,
    before: shown(before),
    after: shown(after),
    isSame,
    changesSecrets: changesSecrets(rows.before, rows.after),
  };
}

/** A new team is active, even if the document says otherwise; applying the document again changes that. */
async function withStatus(context: ApplyContext, team: Team, { status }: TeamRequest): Promise<Team> {
  if (!status || status.trim().toLowerCase() === team.status) return team;
  const { view, before, after } = await saveTeam(context, team, { status });
  context.audit({ kind: "team", id: team.id, name: team.name, before, after });
  return view;
}

/** The writable part: its quotas without their usage. */
function shown(team: Team): Record<string, unknown> {
  const quotas = Object.fromEntries(quotaNames.map((name) => [name, team.quotas[name]]));
  return shownDocument("Team", { ...team, quotas });
}
