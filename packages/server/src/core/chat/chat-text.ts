import { runPage } from "../outbound/page-links.ts";

/**
 * Escapes text from people for a message of the chat platform. Three characters are special there: `<!channel>` would notify everyone, and
 * `<https://…|text>` is a link whose text can hide where it leads.
 */
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** @param maxLength of the result; the cut is never inside an escape */
export function escapeChatText(text: string, maxLength = 1000): string {
  let escaped = "";
  for (const character of text) {
    const next = escapes[character] ?? character;
    if (escaped.length + next.length > maxLength - 1) return `${escaped}…`;
    escaped += next;
  }
  return escaped;
}

/** For text that the platform does not interpret: `plain_text`. */
export function clipChatText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A run in the platform's markup: its id, as a link to its page. @param publicUrl without a slash at its end */
export function runLink(publicUrl: string, teamName: string, runId: string): string {
  return `<${escapeChatText(runPage(publicUrl, teamName, runId))}|${runId}>`;
}
