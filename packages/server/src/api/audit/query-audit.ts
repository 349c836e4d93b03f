import { pageAuditEntry } from "@millrace/contract/audit.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { list } from "../query-parameters.ts";
import { auditParameters, searchAudit } from "./search-audit.ts";

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
