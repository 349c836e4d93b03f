import type { ChatAccess } from "./chat-client.ts";
import { ChatError } from "./chat-error.ts";

/** What a message of the platform's own form is; text is its mark-up, so what comes from people is escaped before. */
export interface ChatAnswer {
  text: string;
  blocks?: readonly unknown[];
}

const timeoutMs = 5000;
const publicDomain = "slack.com";

/**
 * Answers a request of the platform where it asked for it (`response_url`): without a token, for half an hour, seen by nobody but
 * its sender. An address elsewhere than at the platform is refused.
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

/** The platform answers on other hosts of its domain than that of its API; a host of one's own stands for itself. */
function isAtPlatform(apiUrl: string, address: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(apiUrl)) return false;
  const [own, given] = [new URL(apiUrl), new URL(address)];
  if (given.origin === own.origin) return true;
  const isSibling = (domain: string) => given.hostname === domain || given.hostname.endsWith(`.${domain}`);
  return given.protocol === "https:" && (isSibling(own.hostname) || isSibling(publicDomain));
}
