import type { Keyring } from "../../base/secret/keyring.ts";

const purpose = "callback of a run";

/** The address that answers one topic of one run without a credential. Anyone who has it can do that and nothing else. */
export function callbackUrl({ keyring, publicUrl }: { keyring: Keyring; publicUrl: string }, runId: string, topic: string): string {
  const signature = keyring.sign(signedText(runId, topic), purpose);
  return `${publicUrl}/api/v2/callback?ref=${runId}&topic=${encodeURIComponent(topic)}&signature=${signature}`;
}

export function isCallbackSigned(keyring: Keyring, runId: string, topic: string, signature: string): boolean {
  return keyring.isSigned(signedText(runId, topic), purpose, signature);
}

/** The part of an address that must not be seen; undefined for other texts. */
export function signatureOfUrl(text: string): string | undefined {
  return /&signature=([\w-]+)$/.exec(text)?.[1];
}

function signedText(runId: string, topic: string): string {
  return JSON.stringify([runId.toLowerCase(), topic]);
}
