import { chatLinkRequest } from "@millrace/contract/integration.ts";
import { findChatWorkspaceByAnyId, unlinkChatWorkspace as unlink } from "../../store/integration/chat-workspaces.ts";
import { defineEndpoint } from "../endpoint.ts";
import { requireTeam } from "./require-team.ts";

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
