import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import {
  EnvelopeError,
  type EnvelopeKey,
  envelopeKeyId,
  keyIdBytes,
  openEnvelope,
  readEnvelopeText,
  sealEnvelope,
  writeEnvelopeText,
} from "./envelope.ts";

/** The keys of this installation. The first one seals, all of them open. docs/encryption-keys.md explains how to change them. */
export class Keyring {
  #keys: ReadonlyMap<string, EnvelopeKey>;
  #first: EnvelopeKey;

  /** @param secrets 32 bytes each, the sealing one first */
  constructor(secrets: readonly Uint8Array[]) {
    const keys = secrets.map(toKey);
    const [first] = keys;
    if (!first) throw new Error("a keyring needs at least one encryption key");
    this.#first = first;
    this.#keys = new Map(keys.map((key) => [hex(key.id), key]));
  }

  /** Replaces the keys with those of the other one: all code that uses this keyring has them from now on. */
  follow(next: Keyring): void {
    this.#keys = next.#keys;
    this.#first = next.#first;
  }

  /** Identifies the sealing key without revealing it: 16 hex digits, for the row that is checked at start. */
  fingerprint(): string {
    return hex(this.#first.id);
  }

  /** The ids of all keys, the sealing one first. */
  ids(): string[] {
    return [...this.#keys.keys()];
  }

  /** Is the key with that fingerprint configured, for sealing or only for opening? */
  has(fingerprint: string): boolean {
    return this.#keys.has(fingerprint);
  }

  /** @param place where the value is stored, for example `team|table|row|column`; it can be opened nowhere else */
  seal(content: Uint8Array, place: string): Uint8Array {
    return sealEnvelope(this.#first, content, place);
  }

  /** @throws EnvelopeError if it was changed, is stored in another place, or its key is missing */
  open(envelope: Uint8Array, place: string): Uint8Array {
    const id = envelopeKeyId(envelope);
    const key = this.#keys.get(id);
    if (!key)
      throw new EnvelopeError(
        `A stored secret is encrypted with the key ${id}, which is not configured here; configured: ${this.ids().join(", ")}`,
      );
    return openEnvelope(key, envelope, place);
  }

  sealText(text: string, place: string): string {
    return writeEnvelopeText(this.seal(Buffer.from(text, "utf8"), place));
  }

  /** Is it sealed with the current sealing key? */
  isSealedNow(sealed: string): boolean {
    return envelopeKeyId(readEnvelopeText(sealed)) === this.fingerprint();
  }

  openText(sealed: string, place: string): string {
    return Buffer.from(this.open(readEnvelopeText(sealed), place)).toString("utf8");
  }

  /**
   * A signature of the text, 43 characters of base64url, with a key that is derived from the sealing key for that purpose only. Signatures
   * of a key that only opens any more stay valid until that key is dropped.
   */
  sign(text: string, purpose: string): string {
    return signatureOf(this.#first, text, purpose).toString("base64url");
  }

  /** Compares in constant time, for any input. */
  isSigned(text: string, purpose: string, signature: string): boolean {
    const given = Buffer.from(signature, "base64url");
    let isSigned = false;
    for (const key of this.#keys.values()) {
      const expected = signatureOf(key, text, purpose);
      isSigned = timingSafeEqual(expected, given.length === expected.length ? given : Buffer.alloc(expected.length)) || isSigned;
    }
    return isSigned && given.toString("base64url") === signature;
  }
}

/** A new random key, in the form of a key file. */
export function newKeyText(): string {
  return randomBytes(32).toString("base64");
}

/**
 * Reads configured keys: one or more, separated by commas or white space, each 32 bytes in hex or base64, and comment lines.
 * @param origin names the setting or file, for the error
 */
export function parseKeys(text: string, origin: string): Uint8Array[] {
  const words = withoutComments(text)
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length === 0) throw new Error(`${origin} contains no encryption key; ${howToMake}`);
  return words.map((word, index) => parseKey(word, words.length === 1 ? origin : `${origin}, key ${index + 1}`));
}

/** Lines that begin with `#` are preserved, for notes such as which keys backups need. */
export function withoutComments(text: string): string {
  return text.replace(/^#.*$/gm, "");
}

const howToMake = "create one with: openssl rand -base64 32";

function parseKey(word: string, origin: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, "hex");
  const bytes = Buffer.from(word, "base64");
  const isBase64 = /^[\w+/-]+={0,2}$/.test(word);
  if (isBase64 && bytes.length === 32) return bytes;
  const found = isBase64
    ? `${word.length} characters, ${bytes.length} bytes in base64`
    : `${word.length} characters that are neither hex nor base64`;
  throw new Error(`${origin} must be 32 bytes, in base64 (44 characters) or hex (64 digits), but has ${found}; ${howToMake}`);
}

function toKey(secret: Uint8Array): EnvelopeKey {
  if (secret.length !== 32) throw new Error(`an encryption key has 32 bytes, not ${secret.length}`);
  const id = createHash("sha256").update("millrace key id\n").update(secret).digest().subarray(0, keyIdBytes);
  return { id, secret: createSecretKey(secret) };
}

function signatureOf(key: EnvelopeKey, text: string, purpose: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", key.secret, "", `millrace signature\n${purpose}`, 32));
  return createHmac("sha256", derived).update(text).digest();
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
