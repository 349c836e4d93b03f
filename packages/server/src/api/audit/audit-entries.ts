import { type AuditEntry, auditEntry, type FailedSignInEntry, pageAuditEntry, pageFailedSignIn } from "@millrace/contract/audit.ts";
import type { Page } from "@millrace/contract/page.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import {
  type AuditFilter,
  type AuditRow,
  countAuditEntries,
  findAuditEntry,
  listAuditEntries,
  resolveActors,
} from "../../store/audit/audit-entries.ts";
import type { Queryable } from "../../store/database/database.ts";
import { type FailedSignInRow, queryFailedSignIns as find } from "../../store/identity/failed-sign-ins.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, list, order, pageParameters, teamParameter, teamPath, toDateRange } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";

const auditParameters = {
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

/** The most characters of the states before and after, for one page. */
const maxPageBytes = 8 * 1024 * 1024;

/** @param scope the team whose records are searched, or the teams that the caller asks for */
async function searchAudit(
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

export const queryAudit = defineEndpoint({
  method: "GET",
  path: "/api/v2/audit/query",
  summary: "Find out who changed what in the instance",
  description: "A page of audit records of the instance and of all teams, newest first.",
  tag: "Audit",
  permission: "system/read",
  transaction: "read",
  query: Type.Object({ ...auditParameters, teams: list("Names or IDs of teams; default everything") }),
  response: ref(pageAuditEntry),
  handle: ({ db, query }) => searchAudit(db, query, { teamId: undefined, teams: query.teams?.length ? query.teams : undefined }),
});

export const queryTeamAudit = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/audit/query",
  summary: "Find out who changed what in a team",
  description: "A page of audit records, newest first. Only for editors and owners of the team.",
  tag: "Audit",
  permission: "team/write",
  transaction: "read",
  params: teamPath,
  query: Type.Object(auditParameters),
  response: ref(pageAuditEntry),
  handle: ({ db, team, query }) => searchAudit(db, query, { teamId: team.id }),
});

const shared = { method: "GET", tag: "Audit", transaction: "read", response: ref(auditEntry) } as const;
const auditId = Type.String({ description: "ID of the audit record" });

export const getTeamAuditEntry = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/audit/:auditId",
  summary: "Read an audit record of a team",
  permission: "team/write",
  params: Type.Object({ team: teamParameter, auditId }),
  handle: ({ db, team, params }) => getEntry(db, team.id, params.auditId),
});

export const getAuditEntry = defineEndpoint({
  ...shared,
  path: "/api/v2/audit/:auditId",
  summary: "Read an audit record",
  permission: "system/read",
  params: Type.Object({ auditId }),
  handle: ({ db, params }) => getEntry(db, undefined, params.auditId),
});

async function getEntry(db: Queryable, teamId: string | undefined, id: string) {
  const row = isId(id) ? await findAuditEntry(db, teamId, id) : undefined;
  if (row === undefined) throw new AppError("NOT_FOUND", [`audit record ${id}`]);
  return viewAuditEntry(row);
}

export const queryFailedSignIns = defineEndpoint({
  method: "GET",
  path: "/api/v2/audit/failed-sign-ins",
  summary: "Find out who tried to sign in and failed",
  description:
    "A page of failed sign-ins, newest hour first. Identical failures within an hour are one entry with a count. Kept for 30 days. Attempts that were rejected by the rate limit are not listed.",
  tag: "Audit",
  permission: "system/read",
  transaction: "read",
  query: Type.Object(pageParameters),
  response: pageFailedSignIn,
  async handle({ db, query: { limit, page } }) {
    const { rows, total } = await find(db, { limit, offset: limit * page });
    return viewPage(rows.map(viewFailure), { limit, page, total, sorted: true });
  },
});

function viewFailure({ hour, account, firstAt, lastAt, ...row }: FailedSignInRow): FailedSignInEntry {
  const dates = { firstDate: firstAt.toISOString(), lastDate: lastAt.toISOString() };
  return { ...row, hour: hour.toISOString(), account: account === "" ? null : account, ...dates };
}

function viewAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    date: row.at.toISOString(),
    team: row.teamId === null ? null : { id: row.teamId, name: row.teamName },
    actor: { principal: row.principalId, type: row.principalKind, name: row.principalName, tokenRef: row.tokenId },
    action: row.action,
    object: { kind: row.objectKind, id: row.objectId, name: row.objectName },
    requestId: row.requestId,
    before: row.before,
    after: row.after,
    ...(row.isTruncated && { truncated: true }),
  };
}
