import { pageAuditEntry } from "@millrace/contract/audit.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { auditParameters, searchAudit } from "./search-audit.ts";

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
