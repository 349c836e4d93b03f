import type { AuditFilter } from "../../api/queries/settings.ts";

/** What the address says of the records that are looked for. */
export const auditDefaults = { actor: "", kind: "", action: "", object: "", inTeam: "", request: "", from: "", to: "", page: 0, entry: "" };
export type AuditState = typeof auditDefaults;

const dayMs = 86_400_000;

/** @param state days are of the viewer's zone, and the last one is included */
export function toAuditFilter({ actor, kind, action, object, inTeam, request, from, to, page }: AuditState): AuditFilter {
  const start = dayStart(from);
  const end = dayStart(to);
  return {
    page,
    ...(actor !== "" && { actors: [actor] }),
    ...(kind !== "" && { kinds: [kind] }),
    ...(action !== "" && { actions: [action] }),
    ...(object !== "" && { objects: [object] }),
    ...(inTeam !== "" && { teams: [inTeam] }),
    ...(request !== "" && { requestId: request }),
    ...(start !== undefined && { fromDate: start }),
    ...(end !== undefined && { toDate: nextDay(end) }),
  };
}

/** True where something narrows the list. */
export function isFiltered(state: AuditState): boolean {
  return Object.keys(toAuditFilter(state)).length > 1;
}

function dayStart(day: string): number | undefined {
  const time = new Date(`${day}T00:00:00`).getTime();
  return day === "" || Number.isNaN(time) ? undefined : time;
}

/** Also where a day has 23 or 25 hours. */
function nextDay(start: number): number {
  const next = new Date(start + 1.2 * dayMs);
  return new Date(next.getFullYear(), next.getMonth(), next.getDate()).getTime();
}
