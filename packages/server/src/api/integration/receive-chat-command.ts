import Type from "typebox";
import { teamsTriggeredBy } from "../../policy/events.ts";
import type { Transaction } from "../../store/database.ts";
import { listWebhookWorkflows } from "../../store/triggered-workflows.ts";
import { type Context, defineEndpoint } from "../endpoint.ts";
import { formType, signedByChat, unlistedChatHeaders } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

const maxListed = 50;

export const receiveChatCommand = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/commands",
  summary: "Answer a slash command of the chat platform",
  description:
    "`help` and `list`. The answer is a message that only its sender sees. `list` names what the credential in the address of the command may start; " +
    "without one, the platform's signature alone shows no team's workflows. The signature is checked in any case.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "read",
  keepsToWorkflow: true,
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: unlistedChatHeaders,
  consumes: [formType],
  bodyOptional: true,
  body: Type.String({ description: "The form of the command: text, user_id, team_id …" }),
  response: Type.Object({ response_type: Type.Literal("ephemeral"), text: Type.String() }),
  async handle(context) {
    await requireChatSignature(context);
    const words = (new URLSearchParams(context.rawBody).get("text") ?? "").trim();
    return { response_type: "ephemeral" as const, text: await answer(context, words) };
  },
});

type CommandContext = Pick<Context<unknown, unknown, unknown, Transaction>, "db" | "principal">;

async function answer(context: CommandContext, words: string): Promise<string> {
  const [command = "help"] = words.toLowerCase().split(/\s+/);
  if (command === "help" || command === "") return help;
  if (command === "list") return list(context);
  return `Nothing was started: this workspace's users are not linked to users of this instance, so "${escaped(words.slice(0, 100))}" can't be run from here. Try help.`;
}

const help = [
  "What I understand:",
  "`help`: this message",
  "`list`: the workflows that can be started by webhook",
  "Workflows are started by POST /api/v2/webhook?ref=ID; from here they can't be yet.",
].join("\n");

async function list({ db, principal }: CommandContext): Promise<string> {
  if (principal.kind === "integration") return unlinked;
  const reach = { teamIds: teamsTriggeredBy(principal), workflowId: principal.workflowId };
  const workflows = await listWebhookWorkflows(db, reach, maxListed);
  if (workflows.length === 0) return "There is no workflow whose webhook trigger is enabled.";
  return workflows.map(({ id, name }) => `• ${escaped(name)} (\`${id}\`)`).join("\n");
}

const unlinked =
  "This workspace is not linked to a team, so there is nothing to list. An administrator can add `?access_token=TOKEN` to the address of this command.";

/** The three characters that mean something in a message of the platform. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
