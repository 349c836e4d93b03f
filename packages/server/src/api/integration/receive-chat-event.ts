import Type from "typebox";
import { membersOf } from "../../base/text/members-of.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { deleteChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import { welcomeChatUser } from "../chat/welcome-chat-user.ts";
import { type Context, defineEndpoint } from "../endpoint.ts";
import { chatHeaders, signedByChat } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

export const receiveChatEvent = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/events",
  summary: "Receive an event of the chat platform",
  description:
    "Answers the platform's challenge, deletes a workspace that removed the app together with its links to teams, and welcomes people who open the app's home for the first time. " +
    "Other events are acknowledged and ignored. The signature is always checked.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "none",
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: chatHeaders,
  body: Type.Object(
    {
      type: Type.Optional(Type.Unknown()),
      challenge: Type.Optional(Type.Unknown()),
      team_id: Type.Optional(Type.Unknown()),
      event: Type.Optional(Type.Unknown()),
      event_time: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: Type.Unknown() },
  ),
  response: Type.Object({ challenge: Type.Optional(Type.String()) }),
  async handle(context) {
    const { db, keyring, body, services } = context;
    const settings = await requireChatSignature(context);
    const parts = { db, keyring, settings, fetch: services.platformFetch, publicUrl: services.runs.publicUrl };
    const event = membersOf(body.event);
    if (typeof body.team_id === "string") {
      if (isEnd(event)) await forget(context, body.team_id, body.event_time);
      if (event["type"] === "app_home_opened") await welcomeChatUser(parts, services.backgroundJobs, body.team_id, event["user"]);
    }
    return typeof body.challenge === "string" ? { challenge: body.challenge } : {};
  },
});

/** The app's own token is gone with it; tokens that people gave it are none of ours. */
function isEnd({ type, tokens }: Readonly<Record<string, unknown>>): boolean {
  const { bot } = membersOf(tokens);
  return type === "app_uninstalled" || (type === "tokens_revoked" && (!Array.isArray(bot) || bot.length > 0));
}

type EventContext = Context<unknown, unknown, unknown, Database>;

/** @param eventTime Unix seconds; what comes late must not take away what was granted since */
async function forget({ db, auditRecord }: EventContext, workspace: string, eventTime: unknown): Promise<void> {
  const happenedAt = new Date(typeof eventTime === "number" ? eventTime * 1000 + 999 : Number.NaN);
  const before = Number.isNaN(happenedAt.getTime()) ? undefined : happenedAt;
  await transaction(db, async (tx) => {
    const id = await deleteChatWorkspace(tx, workspace, before);
    if (id !== undefined) await insertAudit(tx, auditRecord({ kind: "integration", id, name: workspace, before: { workspace } }));
  });
}
