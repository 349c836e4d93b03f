import { AppError } from "../../base/error/app-error.ts";
import { escapeChatText } from "../../core/chat/chat-text.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listWebhookWorkflows } from "../../store/workflow/triggered-workflows.ts";
import type { ChatCaller } from "./chat-caller.ts";

const maxListed = 50;

/** The workflows that somebody may start from this workspace, team by team. @param teamName only of this team; empty: of all */
export async function listWorkflows(db: Queryable, caller: ChatCaller, teamName: string): Promise<string> {
  const { principal, teams } = caller;
  const wanted = teams.filter(({ name }) => teamName === "" || name === teamName.toLowerCase());
  if (teamName !== "" && wanted.length === 0)
    throw new AppError("TEAM_INVALID_REF", [`${teamName} that you can reach from this workspace`]);
  const teamIds = wanted.filter(({ id }) => allows(principal, "workflow/action", id)).map(({ id }) => id);
  const workflows = await listWebhookWorkflows(db, { teamIds, workflowId: undefined }, maxListed + 1);
  if (workflows.length === 0)
    return "There are no workflows that you can start from here. A workflow must be active, and its trigger `webhook` enabled.";
  const lines = wanted.flatMap(({ id, name }) => {
    const own = workflows.slice(0, maxListed).filter(({ teamId }) => teamId === id);
    return own.length === 0 ? [] : [`*${escapeChatText(name)}*`, ...own.map((one) => `• ${escapeChatText(one.name)} (\`${one.id}\`)`)];
  });
  return [...lines, ...(workflows.length > maxListed ? ["… and more: use `list TEAM` to see the workflows of one team"] : [])].join("\n");
}
