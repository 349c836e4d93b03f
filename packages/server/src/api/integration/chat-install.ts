import { randomBytes } from "node:crypto";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { hashToken } from "../../base/secret/token-text.ts";
import { chatStateSeconds, checkChatState, newChatState, saveChatGrant } from "../../domain/integration/chat-install.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { exchangeChatCode } from "../../integrations/chat/exchange-chat-code.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { useState } from "../../store/identity/identities.ts";
import { defineEndpoint, reply } from "../endpoint.ts";

export const beginChatInstall = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/chat/install",
  summary: "Start installing the chat app",
  description:
    "Redirects to the setting `chat.installURL` with a `state` that `/chat/auth` checks. It is valid for 10 minutes, in this browser only. Browsers open this address, so it needs no credential.",
  tag: "Integrations",
  permission: "open",
  transaction: "read",
  redirects: true,
  response: null,
  async handle({ db, keyring, cookies }) {
    const settings = await readIntegrationSettings(db, keyring);
    const address = settings.require("chat.installURL");
    if (!URL.canParse(address)) throw new AppError("INTEGRATION_NOT_CONFIGURED", ["chat", "the setting chat.installURL is not a URL"]);
    const location = new URL(address);
    const secret = randomBytes(24).toString("base64url");
    cookies().write(chatInstallCookie, secret, chatStateSeconds);
    location.searchParams.set("state", newChatState(keyring, await readClock(db), secret));
    return reply({ status: 302, headers: { location: location.href } });
  },
});

export const finishChatInstall = defineEndpoint({
  method: "GET",
  path: "/api/v2/integration/chat/auth",
  summary: "Finish installing the chat app",
  description:
    "The platform redirects the browser here after the app was added to a workspace. Millrace exchanges the code for a token and stores it encrypted; then the browser " +
    "returns to the chat application. A `state` must come from `/chat/install` in the same browser; an installation that was started on the platform has none. Use `/chat/link` to give the workspace access to a team.",
  tag: "Integrations",
  permission: "open",
  transaction: "none",
  redirects: true,
  query: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 1000, description: "From the platform; works once" }),
    state: Type.Optional(Type.String({ maxLength: 1000, description: "From the platform, if the installation was started with one" })),
  }),
  response: null,
  async handle({ db, keyring, query, cookies, services, auditRecord }) {
    const settings = await readIntegrationSettings(db, keyring);
    const clientId = settings.require("chat.clientId");
    const clientSecret = settings.require("chat.clientSecret");
    if (query.state !== undefined) {
      checkChatState(keyring, query.state, await readClock(db), cookies().read(chatInstallCookie));
      cookies().remove(chatInstallCookie);
      await useStateOnce(db, query.state);
    }
    const apiUrl = settings.get("chat.baseURL");
    const grant = await exchangeChatCode({ apiUrl, clientId, clientSecret, fetch: services.platformFetch }, query.code);
    await transaction(db, async (tx) => {
      const { id, isNew } = await saveChatGrant(tx, keyring, { ...grant, apiUrl });
      const workspace = { workspace: grant.workspaceId, scopes: grant.scopes };
      await insertAudit(
        tx,
        auditRecord({ kind: "integration", id, name: grant.workspaceName ?? grant.workspaceId, after: { ...workspace, isNew } }),
      );
    });
    const appId = grant.appId ?? settings.get("chat.appId");
    const location = `chat://app?team=${encodeURIComponent(grant.workspaceId)}&id=${encodeURIComponent(appId)}`;
    return reply({ status: 302, headers: { location } });
  },
});

/** The response removes the browser's cookie, but a copy of it would still be valid. */
async function useStateOnce(db: Database, state: string): Promise<void> {
  const until = (await readClock(db)).getTime() + chatStateSeconds * 1000;
  if (await useState(db, hashToken(`chat ${state}`), until)) return;
  throw new AppError("BAD_REQUEST", ["this installation was already finished; start again at /api/v2/integration/chat/install"]);
}

/** Binds an installation of the chat app to the browser that started it. */
const chatInstallCookie = "millrace-chat-install";
