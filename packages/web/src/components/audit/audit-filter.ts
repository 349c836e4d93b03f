import type { AuditFilter } from "../../api/queries/settings.ts";

/** The audit filter as the URL stores it. */
export const auditDefaults = { actor: "", kind: "", action: "", object: "", inTeam: "", request: "", from: "", to: "", page: 0, entry: "" };
export type AuditState = typeof auditDefaults;

const dayMs = 86_400_000;

/** @param state its days are in the viewer's time zone; the last one is included */
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

/** Whether any filter is set. */
export function isFiltered(state: AuditState): boolean {
  return Object.keys(toAuditFilter(state)).length > 1;
}

function dayStart(day: string): number | undefined {
  const time = new Date(`${day}T00:00:00`).getTime();
  return day === "" || Number.isNaN(time) ? undefined : time;
}

/** Also correct for days of 23 or 25 hours. */
function nextDay(start: number): number {
  const next = new Date(start + 1.2 * dayMs);
  return new Date(next.getFullYear(), next.getMonth(), next.getDate()).getTime();
}
