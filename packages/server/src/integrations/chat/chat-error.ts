/**
 * Why a call of the chat platform failed, in a sentence that may be shown and logged: it contains no token and nothing of what was sent.
 */
export class ChatError extends Error {
  /** `refused`: a retry is useless. `rate-limited`: retry after `retryAfterMs`. `unreachable`: it may work later. */
  readonly kind: "refused" | "rate-limited" | "unreachable";
  /** The platform's error code. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ChatError["kind"], message: string, more: { code?: string; retryAfterMs?: number } = {}) {
    super(message);
    this.name = "ChatError";
    this.kind = kind;
    this.code = more.code;
    this.retryAfterMs = more.retryAfterMs;
  }
}

const install = "add it again at /api/v2/integration/chat/install";
const gone = `the workspace has removed the app; ${install}`;
const late = "the dialog could not be opened in time; send the command again";

const sentences: Readonly<Record<string, string>> = {
  token_revoked: gone,
  token_expired: gone,
  account_inactive: gone,
  invalid_auth: gone,
  not_authed: gone,
  app_uninstalled: gone,
  channel_not_found: "there is no such channel, or it is private and the app is not in it",
  not_in_channel: "the app is not in that channel; invite it",
  is_archived: "the channel is archived",
  user_not_found: "there is no such user in the workspace",
  users_not_found: "no user of the workspace has that address",
  cannot_dm_bot: "the user is an app, which can't receive messages",
  messages_tab_disabled: "the app accepts no direct messages; turn on its messages tab",
  restricted_action: "the workspace does not allow the app to post there",
  expired_trigger_id: late,
  trigger_expired: late,
  exchanged_trigger_id: late,
  trigger_exchanged: late,
  message_not_found: "the message no longer exists",
};

/** Error codes after which a retry may succeed a little later. */
const passing = new Set(["internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org", "ratelimited"]);

/** The meaning of the platform's response `{ok: false, error: …}`. */
export function refusedByChat(answer: Readonly<Record<string, unknown>>): ChatError {
  const code = typeof answer["error"] === "string" ? answer["error"].slice(0, 100) : "no reason given";
  if (passing.has(code)) return new ChatError(code === "ratelimited" ? "rate-limited" : "unreachable", `it answered ${code}`, { code });
  if (code === "missing_scope") {
    const needed = typeof answer["needed"] === "string" ? answer["needed"].slice(0, 100) : "see docs/integrations.md";
    return new ChatError("refused", `the app lacks a scope (${needed}); give it to the app, then ${install}`, { code });
  }
  return new ChatError("refused", sentences[code] ?? `it refused (${code})`, { code });
}
