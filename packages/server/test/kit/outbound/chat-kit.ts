import { chatTokenPlace } from "../../../src/core/secret/sealed-places.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { type ChatServer, chatClient, chatServer } from "../../fakes/chat-server.ts";
import type { TestAnswer, TestApp } from "../app.ts";
import { type ChatRequest, sendFromChat, setIntegrationSettings } from "../integration-kit.ts";

/** The chat platform beside an app: workspaces that have installed it, people in them, and what they send. */
export interface ChatKit {
  chat: ChatServer;
  secret: string;
  /** The settings with which the platform knows the app. */
  configured: Parameters<typeof setIntegrationSettings>[1];
  /** A workspace that has installed the app; linked to these teams. */
  workspace(teamIds?: readonly string[], scopes?: readonly string[]): Promise<string>;
  /** A person in the workspace with that email address. */
  person(workspace: string, email: string, more?: Record<string, unknown>): string;
  send(path: string, body: unknown, more?: Partial<ChatRequest>): Promise<TestAnswer>;
  /** Sends a slash command, and returns its final response to the sender; undefined if there is none. */
  say(workspace: string, user: string, text: string, more?: Record<string, string>): Promise<string | undefined>;
  /** An interaction with a dialog or a message. */
  interact(workspace: string, user: string, payload: Record<string, unknown>): Promise<TestAnswer>;
}

export const chatBase = "/api/v2/integration/chat";
export const formType = "application/x-www-form-urlencoded";
let count = 0;

export async function chatKit(app: TestApp): Promise<ChatKit> {
  const chat = await chatServer();
  const secret = "signing-secret";
  const configured = {
    "chat.signingSecret": secret,
    "chat.clientId": chatClient.id,
    "chat.clientSecret": chatClient.secret,
    "chat.appId": "A-setting",
    "chat.installURL": "https://chat.example/oauth/v2/authorize?client_id=client&scope=commands",
    "chat.baseURL": chat.url,
  };
  const kit: ChatKit = {
    chat,
    secret,
    configured,
    async workspace(teamIds = [], scopes) {
      const ref = `T${++count}`;
      const token = `xoxb-secret-${ref}`;
      chat.addWorkspace({ ref, token, ...(scopes && { scopes }) });
      const [row] = await app.sql<{ id: string }[]>`
        insert into chat_workspace (ref, name, token, api_url, vouched_at)
        values (${ref}, ${ref}, ${app.keyring.sealText(token, chatTokenPlace(ref))}, ${chat.url}, db_now())
        returning id`;
      for (const teamId of teamIds) await linkTeam(app.sql, teamId, row!.id);
      return ref;
    },
    person(workspace, email, more = {}) {
      const id = `U${++count}`;
      chat.addUser(workspace, id, { email, ...more });
      return id;
    },
    send: (path, body, more = {}) =>
      sendFromChat(app, { path, body: typeof body === "string" ? body : JSON.stringify(body), secret, ...more }),
    async say(workspace, user, text, more = {}) {
      const form = { text, team_id: workspace, user_id: user, trigger_id: chat.newTrigger(), response_url: chat.newResponseUrl(), ...more };
      const answer = await kit.send(`${chatBase}/commands`, new URLSearchParams(form).toString(), { type: formType });
      if (answer.status !== 200) throw new Error(`the command was answered with ${answer.status}: ${answer.text}`);
      if (answer.text !== "") return answer.body.text;
      const before = chat.answers.length;
      await app.backgroundJobs.settled();
      return chat.answers[before]?.text;
    },
    interact(workspace, user, payload) {
      const whole = { team: { id: workspace }, user: { id: user }, response_url: chat.newResponseUrl(), ...payload };
      return kit.send(`${chatBase}/interactivity`, new URLSearchParams({ payload: JSON.stringify(whole) }).toString(), { type: formType });
    },
  };
  await setIntegrationSettings(app, configured);
  return kit;
}

async function linkTeam(sql: Database, teamId: string, workspaceId: string): Promise<void> {
  await sql`insert into team_chat_workspace (team_id, workspace_id) values (${teamId}, ${workspaceId})`;
}
