import { randomBytes } from "node:crypto";
import { AppError } from "../../base/error/app-error.ts";
import { chatStateSeconds, newChatState } from "../../domain/integration/chat-state.ts";
import { readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { readClock } from "../../store/database/clock.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { chatInstallCookie } from "./chat-install-cookie.ts";

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
    cookies.write(chatInstallCookie, secret, chatStateSeconds);
    location.searchParams.set("state", newChatState(keyring, await readClock(db), secret));
    return reply({ status: 302, headers: { location: location.href } });
  },
});
