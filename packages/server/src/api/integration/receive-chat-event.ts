import Type from "typebox";
import { membersOf } from "../../base/members-of.ts";
import { deleteChatWorkspace } from "../../store/chat-workspaces.ts";
import { defineEndpoint } from "../endpoint.ts";
import { chatHeaders, signedByChat } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

/** After these the workspace's token is of no use any more. */
const endings = ["app_uninstalled", "tokens_revoked"];

export const receiveChatEvent = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/events",
  summary: "Receive an event of the chat platform",
  description:
    "Answers the platform's challenge, and forgets the token of a workspace that removed the app. Other events are taken note of and change nothing. The signature is checked in any case.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "write",
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: chatHeaders,
  body: Type.Object(
    {
      type: Type.Optional(Type.Unknown()),
      challenge: Type.Optional(Type.Unknown()),
      team_id: Type.Optional(Type.Unknown()),
      event: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: true },
  ),
  response: Type.Object({ challenge: Type.Optional(Type.String()) }),
  async handle(context) {
    const { db, body, audit, auditNothing } = context;
    await requireChatSignature(context);
    const workspace = body.team_id;
    const isEnding = endings.includes(String(membersOf(body.event)["type"])) && typeof workspace === "string";
    const id = isEnding ? await deleteChatWorkspace(db, workspace) : undefined;
    if (id === undefined) auditNothing();
    else audit({ kind: "integration", id, name: workspace as string, before: { workspace } });
    return typeof body.challenge === "string" ? { challenge: body.challenge } : {};
  },
});
