/**
 * The page of the handbook for each page of the interface: the first entry whose path segments match. `$` matches any segment, and further
 * segments are ignored.
 */
const pages: readonly (readonly [path: string, page: string])[] = [
  ["/home", "user-interface"],
  ["/sign-in", "sign-in"],
  ["/activate", "getting-started#people"],
  ["/profile/tokens", "sign-in#tokens"],
  ["/profile/appearance", "user-interface"],
  ["/profile", "sign-in#sessions"],
  ["/kit", "design"],
  ["/admin/task-manager", "tasks-yaml"],
  ["/admin/template-workflows", "templates"],
  ["/admin/parameters", "parameters#global-parameters"],
  ["/admin/tokens", "sign-in#tokens"],
  ["/admin/events", "outbound-events"],
  ["/admin/insights", "insights"],
  ["/admin/audit", "audit"],
  ["/admin/users", "sign-in#who-can-sign-in"],
  ["/admin/settings", "settings"],
  ["/admin/features", "settings"],
  ["/admin/workers", "executors"],
  ["/admin/history", "history"],
  ["/admin", "teams"],
  ["/$/workflows/$/configure/parameters", "parameters"],
  ["/$/workflows/$/configure/triggers", "events#triggers"],
  ["/$/workflows/$/configure/protection", "protected-publishing"],
  ["/$/workflows/$/configure/tokens", "sign-in#tokens"],
  ["/$/workflows/$/configure/schedules", "schedules"],
  ["/$/workflows/create", "templates"],
  ["/$/workflows", "workflows"],
  ["/$/activity", "runs"],
  ["/$/actions", "approvals"],
  ["/$/schedules", "schedules"],
  ["/$/insights", "insights"],
  ["/$/integrations", "integrations"],
  ["/$/task-manager", "tasks-yaml"],
  ["/$/parameters", "parameters"],
  ["/$/manage/approvers", "approvals#who-may-vote"],
  ["/$/manage/protection", "protected-publishing#protect-all-workflows-of-a-team"],
  ["/$/manage/quotas", "teams#quotas"],
  ["/$/manage/tokens", "sign-in#tokens"],
  ["/$/manage/audit", "audit"],
  ["/$/manage", "teams"],
];

/** The URL of the handbook page about a page of the interface; the first page if there is none. @param path without search parameters */
export function handbookAddress(path: string): string {
  const parts = path.split("/");
  const found = pages.find(([pattern]) => pattern.split("/").every((part, index) => (part === "$" ? parts[index] : part === parts[index])));
  return found === undefined ? "/docs" : `/docs/${found[1]}`;
}
