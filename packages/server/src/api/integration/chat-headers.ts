import Type from "typebox";

/** What every request of the chat platform proves itself by. */
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
