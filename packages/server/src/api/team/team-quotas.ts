import { quotaNames, quotas } from "@millrace/contract/team/quota.ts";
import { effectiveQuotas } from "../../core/team/quota.ts";
import { holdTeam } from "../../domain/team/change-team.ts";
import { instanceQuotas } from "../../store/settings/settings.ts";
import { updateTeam } from "../../store/team/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../request-parameters.ts";

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

export const resetQuotas = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/quotas",
  summary: "Reset the quotas of a team to the instance's defaults",
  tag: "Teams",
  permission: "team/delete",
  transaction: "write",
  params: teamPath,
  response: null,
  async handle({ db, team, audit }) {
    const row = await holdTeam(db, team);
    const none = Object.fromEntries(quotaNames.map((name) => [name, null]));
    await updateTeam(db, team.id, { ...row, ...none });
    audit({
      kind: "team",
      id: team.id,
      name: team.name,
      before: { quotas: Object.fromEntries(quotaNames.map((name) => [name, row[name]])) },
    });
  },
});
