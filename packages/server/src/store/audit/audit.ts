import type { Queryable } from "../database/database.ts";

export interface AuditRecord {
  teamId: string | null;
  principalKind: string;
  principalId: string;
  principalName: string;
  tokenId: string | null;
  action: string;
  objectKind: string;
  objectId: string | null;
  objectName: string | null;
  requestId: string;
  before?: unknown;
  after?: unknown;
}

/** What a request has written, for the audit. */
export interface AuditedObject {
  kind: string;
  id?: string;
  name?: string;
  /** Where the path has no team. */
  teamId?: string;
  /** Where one request does what is the work of several endpoints: the permission of that one. */
  action?: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Inserted in the transaction of the write it tells of, so that neither is there without the other. Submissions have theirs in their own
 * statement (store/functions/insert-runs.sql).
 */
export async function insertAudit(db: Queryable, record: AuditRecord): Promise<void> {
  await db`
    insert into audit (team_id, principal_kind, principal_id, principal_name, token_id, action,
      object_kind, object_id, object_name, request_id, before, after)
    values (${record.teamId}, ${record.principalKind}, ${record.principalId}, ${record.principalName}, ${record.tokenId}, ${record.action},
      ${record.objectKind}, ${record.objectId}, ${record.objectName}, ${record.requestId},
      ${jsonText(record.before)}::json, ${jsonText(record.after)}::json)`;
}

function jsonText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
