import { escapeChatText } from "../../core/chat/chat-text.ts";
import { runLink } from "../../core/chat/run-link.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRun, listRuns, type RunRow } from "../../store/run/runs.ts";
import { findTeamOfRun, isId } from "../../store/team/directory.ts";
import type { ChatCaller } from "./chat-caller.ts";
import { ChatRefusal } from "./chat-refusal.ts";
import { findChatWorkflow } from "./find-chat-workflow.ts";

const maxRuns = 5;

/** How a run stands, or the last runs of a workflow. @param ref id of a run; id or name of a workflow */
export async function replyWithStatus(db: Queryable, caller: ChatCaller, ref: string, publicUrl: string): Promise<string> {
  if (ref === "") throw new ChatRefusal("status needs the ID of a run, or a workflow");
  const run = isId(ref) ? await findReachableRun(db, caller, ref.toLowerCase()) : undefined;
  if (run) return line(run.row, publicUrl, run.teamName);
  const { id, teamId, teamName, name } = await findChatWorkflow(db, caller, ref, "workflowrun/read");
  const { rows, total } = await listRuns(db, teamId, { workflows: [id] }, { order: "DESC", limit: maxRuns, offset: 0 });
  if (total === 0) return `${escapeChatText(name)} has not run yet.`;
  return rows.map((row) => line(row, publicUrl, teamName)).join("\n");
}

async function findReachableRun(db: Queryable, caller: ChatCaller, id: string): Promise<{ row: RunRow; teamName: string } | undefined> {
  const teamId = await findTeamOfRun(db, id);
  const team = caller.teams.find((one) => one.id === teamId);
  if (!team || !allows(caller.principal, "workflowrun/read", team.id)) return undefined;
  const row = await findRun(db, team.id, id);
  return row && { row, teamName: team.name };
}

function line(row: RunRow, publicUrl: string, teamName: string): string {
  const message = row.statusMessage ? `: ${escapeChatText(row.statusMessage, 300)}` : "";
  const waits = row.awaitingApproval ? ", waiting for approval" : "";
  return `• ${escapeChatText(row.workflowName)} ${runLink(publicUrl, teamName, row.id)} *${row.status}*${waits}, ${row.createdAt.toISOString()}${message}`;
}
