import { escapeChatText } from "./chat-text.ts";

/** A run in the platform's mark-up: its id, and where to read it. @param publicUrl without a slash at its end */
export function runLink(publicUrl: string, teamName: string, runId: string): string {
  const address = `${publicUrl}/api/v2/team/${encodeURIComponent(teamName)}/workflowrun/${runId}`;
  return `<${escapeChatText(address)}|${runId}>`;
}
