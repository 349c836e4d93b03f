import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/**
 * Stands in for the chat platform: a real server on loopback that implements the part of its protocol that is used here. Like the platform
 * it checks the token of each call and the scopes of the token, accepts codes and triggers once, rejects blocks that are too long, and
 * reports rejections with 200 and `ok: false`.
 */
export interface ChatServer {
  /** Base URL of its API. */
  url: string;
  /** The calls, in order; JSON arguments are parsed. */
  calls: ChatCall[];
  /** What was posted to its response URLs. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of any shape
  answers: any[];
  /** Messages as they are now, by channel and ts. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of any shape
  messages: Map<string, any>;
  addWorkspace(workspace: { ref: string; token: string; scopes?: readonly string[] }): void;
  addUser(workspace: string, id: string, more?: Record<string, unknown>): void;
  /** Good for one exchange. */
  addCode(code: string, grant: Record<string, unknown>): void;
  /** Good for one dialog. */
  newTrigger(): string;
  newResponseUrl(): string;
  /** How the next calls of that method end, one entry for each call, instead of normally. */
  fail(method: string, ...failures: Failure[]): void;
  callsOf(method: string): ChatCall[];
  reset(): void;
}

export interface ChatCall {
  method: string;
  token: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: arguments of any shape
  args: any;
}

/** An error code; a response with another status; or no response: the connection is cut, or nothing is ever sent. */
export type Failure = string | { status: number; body?: string; retryAfter?: number } | "CUT" | "HANG";

export const chatClient = { id: "client", secret: "client-secret" };
const allScopes = ["commands", "users:read", "users:read.email", "chat:write"];
const neededScopes: Readonly<Record<string, string>> = {
  "users.info": "users:read",
  "users.lookupByEmail": "users:read.email",
  "chat.postMessage": "chat:write",
  "chat.update": "chat:write",
  "views.open": "",
};

interface Workspace {
  ref: string;
  token: string;
  scopes: readonly string[];
}
type Answer = Record<string, unknown>;

export async function chatServer(): Promise<ChatServer> {
  const workspaces = new Map<string, Workspace>();
  const users = new Map<string, Answer>();
  const codes = new Map<string, Answer>();
  const triggers = new Set<string>();
  const responses = new Set<string>();
  const failures = new Map<string, Failure[]>();
  let count = 0;
  const chat: ChatServer = {
    url: "",
    calls: [],
    answers: [],
    messages: new Map(),
    addWorkspace: ({ ref, token, scopes = allScopes }) => void workspaces.set(token, { ref, token, scopes }),
    addUser: (workspace, id, more = {}) =>
      void users.set(`${workspace}/${id}`, { id, team_id: workspace, deleted: false, is_bot: false, is_email_confirmed: true, ...more }),
    addCode: (code, grant) => void codes.set(code, grant),
    newTrigger: () => remember(triggers, `trigger-${++count}`),
    newResponseUrl: () => `${chat.url.replace(/\/api$/, "")}/${remember(responses, `commands/${++count}`)}`,
    fail: (method, ...more) => void failures.set(method, more),
    callsOf: (method) => chat.calls.filter((call) => call.method === method),
    reset() {
      chat.calls.length = 0;
      chat.answers.length = 0;
      failures.clear();
    },
  };

  const methods: Readonly<Record<string, (args: Answer, workspace: Workspace) => Answer>> = {
    "users.info"({ user: id }, { ref, scopes }) {
      const user = users.get(`${ref}/${String(id)}`);
      if (!user) return refusal("user_not_found");
      const { email, ...rest } = user;
      return { ok: true, user: { ...rest, profile: scopes.includes("users:read.email") ? { email } : {} } };
    },
    "users.lookupByEmail"({ email }, { ref }) {
      const found = [...users].find(([key, user]) => key.startsWith(`${ref}/`) && user["email"] === email);
      return found ? { ok: true, user: found[1] } : refusal("users_not_found");
    },
    "views.open"({ trigger_id: trigger, view }) {
      if (!triggers.delete(String(trigger))) return refusal("expired_trigger_id");
      return dialogFault(view as Answer) ?? { ok: true, view: { ...(view as Answer), id: `V${++count}` } };
    },
    "chat.postMessage"({ channel, text, blocks }, { ref }) {
      if (channel === "C-GONE") return refusal("channel_not_found");
      const place = String(channel).startsWith("U") ? `D-${String(channel)}` : String(channel);
      const ts = `1700000000.${String(++count).padStart(6, "0")}`;
      const fault = blocksFault(blocks);
      if (fault) return fault;
      chat.messages.set(`${place}/${ts}`, { text, blocks, workspace: ref });
      return { ok: true, channel: place, ts };
    },
    "chat.update"({ channel, ts, text, blocks }, { ref }) {
      const key = `${String(channel)}/${String(ts)}`;
      if (!chat.messages.has(key)) return refusal("message_not_found");
      const fault = blocksFault(blocks);
      if (fault) return fault;
      chat.messages.set(key, { text, blocks, workspace: ref });
      return { ok: true, channel, ts };
    },
  };

  function exchange({ client_id: id, client_secret: secret, code }: Answer): Answer {
    if (id !== chatClient.id) return refusal("invalid_client_id");
    if (secret !== chatClient.secret) return refusal("bad_client_secret");
    const grant = codes.get(String(code));
    codes.delete(String(code));
    return grant ?? refusal("invalid_code");
  }

  function answerTo(method: string, token: string | undefined, args: Answer): Answer {
    if (method === "oauth.v2.access") return exchange(args);
    if (token === undefined) return refusal("not_authed");
    const workspace = workspaces.get(token);
    if (!workspace) return refusal("invalid_auth");
    const scope = neededScopes[method];
    if (scope === undefined) return refusal("unknown_method");
    if (scope !== "" && !workspace.scopes.includes(scope)) return { ...refusal("missing_scope"), needed: scope, provided: "" };
    return methods[method]!(args, workspace);
  }

  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const path = new URL(request.url!, "http://chat").pathname.slice(1);
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (responses.has(path)) {
      chat.answers.push(JSON.parse(body));
      return void response.end("ok");
    }
    const method = path.replace(/^api\//, "");
    if (request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true)
      return send(response, refusal("invalid_form_data"));
    const args = readForm(body);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    chat.calls.push({ method, token, args });
    const failure = failures.get(method)?.shift();
    if (failure === "HANG") return;
    if (failure === "CUT") return void request.socket.destroy();
    if (typeof failure === "object") {
      const headers = {
        "content-type": "application/json",
        ...(failure.retryAfter !== undefined && { "retry-after": String(failure.retryAfter) }),
      };
      return void response.writeHead(failure.status, { ...headers, location: "/" }).end(failure.body ?? "{}");
    }
    send(response, failure === undefined ? answerTo(method, token, args) : refusal(failure));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return chat;
}

function refusal(error: string): Answer {
  return { ok: false, error };
}

function remember(set: Set<string>, text: string): string {
  set.add(text);
  return text;
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(answer));
}

/** Lists and objects are JSON in the form. */
function readForm(body: string): Answer {
  const read = (text: string) => (/^[[{]/.test(text) ? (JSON.parse(text) as unknown) : text);
  return Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, read(value)]));
}

// biome-ignore lint/suspicious/noExplicitAny: blocks of any shape
function dialogFault(view: any): Answer | undefined {
  if (view.type !== "modal" || view.title.text.length > 24 || view.private_metadata.length > 3000) return refusal("invalid_arguments");
  const ids = view.blocks.map((block: { block_id?: string }) => block.block_id).filter(Boolean);
  if (new Set(ids).size < ids.length || ids.some((id: string) => id.length > 255)) return refusal("invalid_blocks");
  return blocksFault(view.blocks);
}

// biome-ignore lint/suspicious/noExplicitAny: blocks of any shape
function blocksFault(blocks: any): Answer | undefined {
  if (blocks === undefined) return undefined;
  const isWrong = (block: Answer) => {
    const text = (block["text"] as { text?: string })?.text;
    const options = (block["element"] as { options?: { text: { text: string }; value: string }[] })?.options ?? [];
    if (text !== undefined && (text === "" || text.length > 3000)) return true;
    return options.length > 100 || options.some((option) => option.text.text.length > 75 || option.value.length > 150);
  };
  return !Array.isArray(blocks) || blocks.length > 100 || blocks.some(isWrong) ? refusal("invalid_blocks") : undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
