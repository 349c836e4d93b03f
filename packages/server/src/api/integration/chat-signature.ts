import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { type IntegrationSettings, readIntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { chatSignatureFault } from "../../integrations/signature/platform-signatures.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { Context } from "../endpoint.ts";

type SignedRequest = Pick<Context<unknown, unknown, unknown, Queryable>, "db" | "keyring" | "headers" | "rawBytes">;

/**
 * Accepts a signed request of the chat platform, and returns the settings that were read for that. A credential is no substitute: it
 * identifies the caller, but does not prove that the payload is genuine.
 * @throws AppError INTEGRATION_NOT_CONFIGURED without a signing secret, UNAUTHENTICATED if the signature is wrong
 */
export async function requireChatSignature({ db, keyring, headers, rawBytes }: SignedRequest): Promise<IntegrationSettings> {
  const settings = await readIntegrationSettings(db, keyring);
  const secret = settings.require("chat.signingSecret");
  const given = { signature: headers["x-chat-signature"], timestamp: headers["x-chat-request-timestamp"] };
  const fault = chatSignatureFault(secret, given, rawBytes, (await readClock(db)).getTime() / 1000);
  if (fault !== undefined) throw new AppError("UNAUTHENTICATED", [fault]);
  return settings;
}

/** The headers that authenticate requests of the chat platform. */
export const chatHeaders = Type.Object({
  "x-chat-request-timestamp": Type.String({ description: "Unix seconds, at most 300 from now" }),
  "x-chat-signature": Type.String({
    description: "`v0=` and the hex HMAC-SHA256 of `v0:TIMESTAMP:BODY`, keyed by the setting chat.signingSecret",
  }),
});

/** The same, for endpoints whose headers the published interface does not list, or that others call as well. */
export const optionalChatHeaders = Type.Partial(chatHeaders);

export function signedByChat(headers: Readonly<Record<string, unknown>>): "chat" | undefined {
  return headers["x-chat-signature"] === undefined ? undefined : "chat";
}

export const formType = "application/x-www-form-urlencoded";
