import { isSignature } from "../signature/hmac-signature.ts";

/** How far the sender's clock may be from ours, in seconds, in either direction: a copied request is good for so long. */
const maxClockDifferenceSeconds = 300;

export interface ChatSignature {
  /** Header x-chat-signature: `v0=` and hex. */
  signature: string | undefined;
  /** Header x-chat-request-timestamp: Unix seconds. */
  timestamp: string | undefined;
}

/**
 * What is wrong with the proof that a request comes from the chat platform; undefined when it holds. The platform signs
 * `v0:<timestamp>:<body>`, and it is the bytes of the body that count.
 */
export function chatSignatureFault(
  secret: string,
  { signature, timestamp }: ChatSignature,
  body: Uint8Array,
  nowSeconds: number,
): string | undefined {
  if (signature === undefined || timestamp === undefined)
    return "the headers x-chat-signature and x-chat-request-timestamp are both needed";
  if (!/^\d{1,12}$/.test(timestamp)) return "x-chat-request-timestamp must be Unix seconds";
  if (Math.abs(nowSeconds - Number(timestamp)) > maxClockDifferenceSeconds) {
    return `x-chat-request-timestamp is more than ${maxClockDifferenceSeconds} seconds from now`;
  }
  return isSignature(signature, "v0=", secret, [`v0:${timestamp}:`, body]) ? undefined : "x-chat-signature does not match the body";
}
