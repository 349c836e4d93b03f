import { codehostLinkRequest, type Integration } from "@millrace/contract/integration.ts";
import Type from "typebox";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { linkTeamToInstallation } from "../../domain/integration/link-installation.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewCodehost } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const linkInstallation = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/codehost/link",
  summary: "Link an installation of the codehost's app to a team",
  description:
    "The events of the installation then start the team's workflows, too; other teams that are linked to it stay so. Linking again changes nothing. " +
    "Needs the permission `integration/write` in the team.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  body: codehostLinkRequest,
  response: Type.Unsafe<Integration>(Type.Ref("Integration")),
  async handle({ db, body, principal, keyring, audit }) {
    const team = await requireTeam(db, principal, body.team, "integration/write");
    const { installation, isNew } = await linkTeamToInstallation(db, team.id, body.ref);
    audit({
      kind: "integration",
      id: installation.id,
      name: team.name,
      teamId: team.id,
      before: { linked: !isNew },
      after: { linked: true },
    });
    return viewCodehost(await readIntegrationSettings(db, keyring), installation);
  },
});
