import { codehostLinkRequest, integration } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { linkTeamToInstallation, requireInstallation } from "../../domain/integration/link-installation.ts";
import { recordLiveInstallation } from "../../domain/integration/record-installation-event.ts";
import { mayLinkInstallation } from "../../policy/link-installation.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { findInstallation } from "../../store/integration/installations.ts";
import { defineEndpoint } from "../endpoint.ts";
import { linkRuleOf, readLive } from "./ask-codehost.ts";
import { viewCodehost } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const linkInstallation = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/codehost/link",
  summary: "Link an installation of the codehost's app to a team",
  description:
    "Events of the installation can then start the team's workflows. Links to other teams stay. Linking again changes nothing. " +
    "Needs the permission `integration/write` in the team, and what the setting `codehost.linking` asks for. By default the installation must be " +
    "less than an hour old and not linked to a team, or linked to a team whose integrations you can write, or you are an administrator. " +
    "An installation that Millrace has not heard of is looked up on the platform.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  opensTransaction: true,
  body: codehostLinkRequest,
  response: ref(integration),
  async handle({ db: pool, body, principal, keyring, services, auditRecord }) {
    const db = pool as unknown as Database;
    const team = await requireTeam(db, principal, body.team, "integration/write");
    const settings = await readIntegrationSettings(db, keyring);
    const isKnown = (await findInstallation(db, body.ref)) !== undefined;
    const live = isKnown || !/^[1-9]\d{0,14}$/.test(body.ref) ? undefined : await readLive(services, settings, body.ref);
    const rule = linkRuleOf(settings);
    const installation = await transaction(db, async (tx) => {
      const found = live ? (await recordLiveInstallation(tx, body.ref, live)).installation : await requireInstallation(tx, body.ref);
      const { isNewLink } = await linkTeamToInstallation(tx, team.id, found, (facts) => mayLinkInstallation(principal, rule, facts));
      const link = { kind: "integration", id: found.id, name: team.name, teamId: team.id };
      await insertAudit(tx, auditRecord({ ...link, before: { linked: !isNewLink }, after: { linked: true } }));
      return found;
    });
    return viewCodehost(settings, installation);
  },
});
