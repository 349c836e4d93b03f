import { EnvelopeError, isEnvelopeText } from "../../base/secret/envelope.ts";
import type { Keyring } from "../../base/secret/keyring.ts";

/**
 * Seals texts, and reuses the stored envelope of an unchanged text, so that a document can be compared with the stored one byte for byte.
 * An envelope of another key than the current one is replaced.
 *
 * @param stored any JSON with envelopes of that place in it
 */
export function sealAgain(keyring: Keyring, place: string, stored: unknown): (clear: string) => string {
  let known: ReadonlyMap<string, string> | undefined;
  return (clear) => {
    known ??= new Map(envelopesIn(stored).flatMap((sealed) => openOne(keyring, place, sealed)));
    return known.get(clear) ?? keyring.sealText(clear, place);
  };
}

/** A text of a user can look like one. */
function openOne(keyring: Keyring, place: string, sealed: string): (readonly [string, string])[] {
  try {
    return keyring.isSealedNow(sealed) ? [[keyring.openText(sealed, place), sealed]] : [];
  } catch (error) {
    if (error instanceof EnvelopeError) return [];
    throw error;
  }
}

/** All texts in it that have the form of an envelope. */
export function envelopesIn(value: unknown): string[] {
  if (typeof value === "string") return isEnvelopeText(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(envelopesIn) : [];
}
