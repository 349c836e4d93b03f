import { chatLinkRequest, integration } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { linkTeamToChatWorkspace } from "../../domain/integration/link-chat-workspace.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewChat } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

export const linkChatWorkspace = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/link",
  summary: "Link a workspace of the chat platform to a team",
  description:
    "People of the workspace who are users here can then use the team's workflows and actions from the chat, with their own permissions. Links to other teams stay. " +
    "Linking again changes nothing. Needs the permission `integration/write` in the team. The first link of a workspace needs an administrator, since Millrace then trusts the workspace to identify its people.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  body: chatLinkRequest,
  response: ref(integration),
  async handle({ db, body, principal, keyring, services, audit }) {
    const { ref, team: teamRef } = body;
    const team = await requireTeam(db, principal, teamRef, "integration/write");
    const settings = await readIntegrationSettings(db, keyring);
    const mayVouch = mayDoEverything(principal);
    const hasOwnToken = settings.get("chat.token") !== "";
    const { workspace, isNew } = await linkTeamToChatWorkspace(db, { teamId: team.id, ref, mayVouch, hasOwnToken });
    const after = { linked: true, workspace: ref };
    audit({ kind: "integration", id: workspace.id, name: team.name, teamId: team.id, before: { linked: !isNew }, after });
    return viewChat(settings, services.runs.publicUrl, workspace.id);
  },
});
