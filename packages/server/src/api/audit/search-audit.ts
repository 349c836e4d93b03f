import type { AuditEntry } from "@millrace/contract/audit.ts";
import type { Page } from "@millrace/contract/page.ts";
import Type from "typebox";
import { type AuditFilter, countAuditEntries, listAuditEntries, resolveActors } from "../../store/audit/audit-entries.ts";
import type { Queryable } from "../../store/database/database.ts";
import { date, list, order, pageParameters, toDateRange } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewAuditEntry } from "./audit.view.ts";

export const auditParameters = {
  ...pageParameters,
  order: order("DESC"),
  actors: list("Who made the change: user:ID or token:ID, IDs, email addresses or names of users, names of tokens; default everyone"),
  kinds: list("Kinds of objects, for example workflow, task, team, token; default all"),
  objects: list("IDs or names of objects; runs by their ID only"),
  actions: list("resource/action, for example workflow/write; default all"),
  requestId: Type.Optional(Type.String({ maxLength: 400, description: "Value of the header x-request-id" })),
  fromDate: date("Recorded at this time or later"),
  toDate: date("Recorded before this time"),
};
const parameters = Type.Object(auditParameters);

/** What the states before and after of one page may have together. */
const maxPageBytes = 8 * 1024 * 1024;

/** @param scope the team whose records are searched, or which teams the caller asks for */
export async function searchAudit(
  db: Queryable,
  query: Type.Static<typeof parameters>,
  scope: Pick<AuditFilter, "teamId" | "teams">,
): Promise<Page<AuditEntry>> {
  const { limit, page, requestId } = query;
  const some = (texts: readonly string[] | undefined) => (texts?.length ? texts : undefined);
  const actors = some(query.actors);
  const filter: AuditFilter = {
    ...scope,
    ...toDateRange(query),
    actors: actors && (await resolveActors(db, actors)),
    kinds: some(query.kinds),
    objects: some(query.objects),
    actions: some(query.actions),
    requestId,
  };
  const total = await countAuditEntries(db, filter);
  const rows = await listAuditEntries(db, filter, { order: query.order, limit, offset: page * limit, maxBytes: maxPageBytes });
  return viewPage(rows.map(viewAuditEntry), { limit, page, total, sorted: true });
}
