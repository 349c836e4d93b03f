import { runPage } from "../outbound/page-links.ts";

/**
 * Text from people for a message of the chat platform. Three characters mean something there: `<!channel>` rings everyone's bell, and
 * `<https://…|text>` is a link that says something else than where it leads. Escaped they are only themselves.
 */
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** @param maxLength of the result, which is never cut within an escape */
export function escapeChatText(text: string, maxLength = 1000): string {
  let escaped = "";
  for (const character of text) {
    const next = escapes[character] ?? character;
    if (escaped.length + next.length > maxLength - 1) return `${escaped}…`;
    escaped += next;
  }
  return escaped;
}

/** For what the platform takes as it is: `plain_text`. */
export function clipChatText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A run in the platform's mark-up: its id, and where to read it. @param publicUrl without a slash at its end */
export function runLink(publicUrl: string, teamName: string, runId: string): string {
  return `<${escapeChatText(runPage(publicUrl, teamName, runId))}|${runId}>`;
}
