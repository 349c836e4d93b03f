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

/** The audit record of what a request has written. */
export interface AuditedObject {
  kind: string;
  id?: string;
  name?: string;
  /** Set if the path has no team. */
  teamId?: string;
  /** If one request does the work of several endpoints: the permission of the endpoint in question. */
  action?: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Inserted in the same transaction as the write it is about, so that neither exists without the other. Submissions have theirs in their own
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
