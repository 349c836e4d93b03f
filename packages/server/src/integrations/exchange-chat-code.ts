import { AppError } from "../base/app-error.ts";
import { membersOf } from "../base/members-of.ts";

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
}

const timeoutMs = 5000;
const maxAnswerLength = 100_000;

/**
 * Turns the code that a browser brought back from the platform into the app's token for that workspace (OAuth 2.0, section 4.1.3).
 *
 * @throws AppError BAD_REQUEST when the platform refuses the code, INTEGRATION_FAILED when it does not answer as it should
 */
export async function exchangeChatCode(app: ChatApp, code: string): Promise<ChatGrant> {
  const answer = await ask(app, code);
  if (answer["ok"] !== true) {
    const why = typeof answer["error"] === "string" ? answer["error"].slice(0, 100) : "no reason given";
    throw new AppError("BAD_REQUEST", [`the chat platform refused the code (${why}); begin again at /api/v2/integration/chat/install`]);
  }
  const team = membersOf(answer["team"]);
  const token = textOf(answer["access_token"]);
  const workspaceId = textOf(team["id"]);
  if (token === undefined || workspaceId === undefined) throw failed("its answer names no workspace or holds no token");
  const scopes = (textOf(answer["scope"]) ?? "").split(",").filter((scope) => scope !== "");
  return { workspaceId, workspaceName: textOf(team["name"]), appId: textOf(answer["app_id"]), token, scopes };
}

async function ask(app: ChatApp, code: string): Promise<Readonly<Record<string, unknown>>> {
  const body = new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, code });
  const answer = await fetch(`${app.apiUrl}/oauth.v2.access`, {
    method: "POST",
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw failed("it did not answer", cause);
  });
  const text = await answer.text().catch((cause: unknown) => {
    throw failed("its answer broke off", cause);
  });
  if (!answer.ok) throw failed(`it answered with status ${answer.status}`);
  try {
    return membersOf(JSON.parse(text.slice(0, maxAnswerLength)));
  } catch (cause) {
    throw failed("its answer is no JSON", cause);
  }
}

function failed(why: string, cause?: unknown): AppError {
  return new AppError("INTEGRATION_FAILED", ["chat", why], { cause });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 2000 && !value.includes("\0") ? value : undefined;
}
