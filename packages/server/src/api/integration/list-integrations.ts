import { integration } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { findChatWorkspaceOfTeam } from "../../store/integration/chat-workspaces.ts";
import { findInstallationOfTeam } from "../../store/integration/installations.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewChat, viewCodehost } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const listIntegrations = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration",
  summary: "List the integrations and their status for a team",
  description: "`ref` is the installation that the team is linked to. Needs the permission `integration/read` in the team.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({ team: Type.String({ minLength: 1, maxLength: 200, description: "Name or ID of the team" }) }),
  response: Type.Array(ref(integration)),
  async handle({ db, query, principal, keyring, services }) {
    const team = await requireTeam(db, principal, query.team, "integration/read");
    const settings = await readIntegrationSettings(db, keyring);
    const installation = await findInstallationOfTeam(db, team.id);
    return [viewCodehost(settings, installation), viewChat(settings, services.runs.publicUrl, await findChatWorkspaceOfTeam(db, team.id))];
  },
});
