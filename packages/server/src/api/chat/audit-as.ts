import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Principal } from "../endpoint.ts";

/** The record of what somebody did in the chat: it was he, not the platform that brought it. */
export function auditAs({ id, name, kind }: Principal, action: string, record: AuditRecord): AuditRecord {
  return { ...record, principalKind: kind, principalId: id, principalName: name, action };
}
