import type { ChatAccess } from "./chat-client.ts";
import { ChatError } from "./chat-error.ts";

/** A message in the platform's own format; text is its mark-up, so text from people is escaped before. */
export interface ChatAnswer {
  text: string;
  blocks?: readonly unknown[];
}

const timeoutMs = 5000;
const publicDomain = "slack.com";

/**
 * Responds to a request of the platform at the URL that it gave for that (`response_url`): without a token, for half an hour, visible only
 * to the sender. A URL outside the platform is refused.
 * @throws ChatError
 */
export async function answerChatRequest(
  { apiUrl, fetch }: Pick<ChatAccess, "apiUrl" | "fetch">,
  address: string,
  answer: ChatAnswer,
  signal?: AbortSignal,
): Promise<void> {
  if (!isAtPlatform(apiUrl, address)) throw new ChatError("refused", "the address for the response does not belong to the platform");
  const body = JSON.stringify({ response_type: "ephemeral", replace_original: false, ...answer });
  const timeout = AbortSignal.timeout(timeoutMs);
  const received = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body,
    redirect: "error",
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch(() => {
    throw new ChatError("unreachable", "the response could not be delivered");
  });
  await received.body?.cancel();
  if (!received.ok) throw new ChatError("refused", `the answer was refused with status ${received.status}`);
}

/** Response URLs may be on other hosts of the platform's domain than its API; a self-hosted platform has its own domain. */
function isAtPlatform(apiUrl: string, address: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(apiUrl)) return false;
  const [own, given] = [new URL(apiUrl), new URL(address)];
  if (given.origin === own.origin) return true;
  const isSibling = (domain: string) => given.hostname === domain || given.hostname.endsWith(`.${domain}`);
  return given.protocol === "https:" && (isSibling(own.hostname) || isSibling(publicDomain));
}
