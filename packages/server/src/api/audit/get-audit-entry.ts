import { auditEntry } from "@millrace/contract/audit.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { findAuditEntry } from "../../store/audit/audit-entries.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isId } from "../../store/team/directory.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter } from "../team-path.ts";
import { viewAuditEntry } from "./audit.view.ts";

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
