import { AppError } from "../../base/error/app-error.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { callChat } from "./chat-client.ts";
import { ChatError } from "./chat-error.ts";

/** What the app was given for a workspace that installed it. */
export interface ChatGrant {
  workspaceId: string;
  workspaceName: string | undefined;
  appId: string | undefined;
  token: string;
  scopes: string[];
}

export interface ChatApp {
  /** Address of the chat platform's API, without a slash at its end. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  fetch: PlatformFetch;
}

/**
 * Turns the code that a browser brought back from the platform into the app's token for that workspace (OAuth 2.0, section 4.1.3).
 * It is tried once: a code is good once, too.
 *
 * @throws AppError BAD_REQUEST when the platform refuses the code, INTEGRATION_FAILED when it does not answer as it should
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
