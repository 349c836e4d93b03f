import { chatLinkRequest, chatWorkspace, integration } from "@millrace/contract/integration.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { linkTeamToChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { mayDoEverything } from "../../policy/users.ts";
import {
  findChatWorkspaceByAnyId,
  listChatWorkspaces as list,
  unlinkChatWorkspace as unlink,
} from "../../store/integration/chat-workspaces.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewChat } from "./integration.view.ts";
import { requireTeam } from "./require-team.ts";

const maxListed = 1000;

export const listChatWorkspaces = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/chat/workspace",
  summary: "List the workspaces of the chat platform that have the app",
  description: `Newest first, at most ${maxListed}, with the teams linked to each. Needs the permission on the whole instance.`,
  tag: "Integrations",
  permission: "integration/read",
  transaction: "read",
  response: Type.Array(ref(chatWorkspace), { maxItems: maxListed }),
  async handle({ db }) {
    const rows = await list(db, maxListed);
    return rows.map(({ ref, name, scopes, teams }) => ({ ref, name: name ?? "", scopes, teams }));
  },
});

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

export const unlinkChatWorkspace = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/unlink",
  summary: "Unlink a workspace of the chat platform from a team",
  description:
    "`ref` is the platform's ID of the workspace, or the `ref` of the team's integration. The workspace can no longer reach the team; links to other teams stay, and you can link the team again. Unlinking again changes nothing. " +
    "Needs the permission `integration/write` in the team.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  body: chatLinkRequest,
  response: null,
  async handle({ db, body, principal, audit }) {
    const { ref, team: teamRef } = body;
    const team = await requireTeam(db, principal, teamRef, "integration/write");
    const workspace = await findChatWorkspaceByAnyId(db, ref);
    const wasLinked = workspace !== undefined && (await unlink(db, team.id, workspace.id));
    const after = { linked: false, workspace: workspace?.ref ?? ref };
    audit({ kind: "integration", id: workspace?.id ?? ref, name: team.name, teamId: team.id, before: { linked: wasLinked }, after });
  },
});
