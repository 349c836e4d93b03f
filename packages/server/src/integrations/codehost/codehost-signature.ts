import { isSignature } from "../signature/hmac-signature.ts";

/**
 * What is wrong with the proof that a delivery comes from the codehost; undefined when it holds. The platform signs the bytes of the body.
 */
export function codehostSignatureFault(secret: string, signature: string | undefined, body: Uint8Array): string | undefined {
  if (signature === undefined) return "the header x-codehost-signature-256 is missing, although a webhook secret is set";
  return isSignature(signature, "sha256=", secret, [body]) ? undefined : "x-codehost-signature-256 does not match the body";
}
