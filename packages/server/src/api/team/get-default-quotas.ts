import { quotas } from "@millrace/contract/quota.ts";
import { effectiveQuotas } from "../../core/team/quota.ts";
import { instanceQuotas } from "../../store/settings/settings.ts";
import { defineEndpoint } from "../endpoint.ts";

export const getDefaultQuotas = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/quotas/default",
  summary: "Read the default quotas of teams",
  tag: "Teams",
  permission: "signed-in",
  transaction: "none",
  response: quotas,
  handle: async ({ db }) => effectiveQuotas({}, await instanceQuotas(db)),
});
