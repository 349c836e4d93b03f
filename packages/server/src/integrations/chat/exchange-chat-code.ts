import { AppError } from "../../base/error/app-error.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { callChat } from "./chat-client.ts";
import { ChatError } from "./chat-error.ts";

/** What the app received for a workspace that installed it. */
export interface ChatGrant {
  workspaceId: string;
  workspaceName: string | undefined;
  appId: string | undefined;
  token: string;
  scopes: string[];
}

export interface ChatApp {
  /** URL of the chat platform's API, without a trailing slash. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  fetch: PlatformFetch;
}

/**
 * Exchanges the code that a browser brought back from the platform for the app's token for that workspace (OAuth 2.0, section 4.1.3). It is
 * not retried, because a code is valid only once.
 *
 * @throws AppError BAD_REQUEST if the platform refuses the code, INTEGRATION_FAILED if its response is unusable
 */
export async function exchangeChatCode({ apiUrl, clientId, clientSecret, fetch }: ChatApp, code: string): Promise<ChatGrant> {
  const form = { client_id: clientId, client_secret: clientSecret, code };
  const answer = await callChat({ apiUrl, fetch }, "oauth.v2.access", form).catch((error: unknown) => {
    throw error instanceof ChatError ? toAppError(error) : error;
  });
  const team = membersOf(answer["team"]);
  const token = textOf(answer["access_token"]);
  const workspaceId = textOf(team["id"]);
  if (token === undefined || workspaceId === undefined) throw failed("its response has no workspace or no token");
  const scopes = (textOf(answer["scope"]) ?? "").split(",").filter((scope) => scope !== "");
  return { workspaceId, workspaceName: textOf(team["name"]), appId: textOf(answer["app_id"]), token, scopes };
}

function toAppError({ kind, code, message }: ChatError): AppError {
  if (kind !== "refused") return failed(message);
  const why = code ?? "no reason given";
  return new AppError("BAD_REQUEST", [`the chat platform refused the code (${why}); start again at /api/v2/integration/chat/install`]);
}

function failed(why: string): AppError {
  return new AppError("INTEGRATION_FAILED", ["chat", why]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 2000 && !value.includes("\0") ? value : undefined;
}
