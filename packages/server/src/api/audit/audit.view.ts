import type { AuditEntry } from "@millrace/contract/audit.ts";
import type { AuditRow } from "../../store/audit/audit-entries.ts";

export function viewAuditEntry(row: AuditRow): AuditEntry {
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
