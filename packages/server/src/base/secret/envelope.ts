import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { AppError } from "../error/app-error.ts";

/**
 * An encrypted value: AES-256-GCM with a random nonce, readable only with the key it names and only in the place it was created for.
 *
 *   bytes: version 1 (1) | key id (8) | nonce (12) | ciphertext | tag (16)
 *   text:  mrsealed:v1:<base64url of the bytes>
 *
 * The place (additional data) is a text of the caller, such as `team|table|row|column`: an envelope that is moved elsewhere can't be
 * opened. The header is authenticated with it. Random nonces are safe for some four billion envelopes per key.
 */

const version = 1;
export const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes;
const textPrefix = "mrsealed:v1:";

/** An envelope that can't be opened. Its message never contains any of the content. */
export class EnvelopeError extends AppError {
  constructor(message: string) {
    super("SECRET_UNREADABLE", [message]);
    this.name = "EnvelopeError";
  }
}

export interface EnvelopeKey {
  /** 8 bytes that identify the key. */
  id: Uint8Array;
  /** 256 bits, stored so that printing shows nothing. */
  secret: KeyObject;
}

export function sealEnvelope(key: EnvelopeKey, content: Uint8Array, place: string): Uint8Array {
  const header = Buffer.concat([Uint8Array.of(version), key.id, randomBytes(nonceBytes)]);
  const cipher = createCipheriv("aes-256-gcm", key.secret, header.subarray(1 + keyIdBytes), { authTagLength: tagBytes });
  cipher.setAAD(additionalData(header, place));
  return Buffer.concat([header, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** @throws EnvelopeError if anything was changed, or the place differs */
export function openEnvelope(key: EnvelopeKey, envelope: Uint8Array, place: string): Uint8Array {
  const bytes = checked(envelope);
  const header = bytes.subarray(0, headerBytes);
  const decipher = createDecipheriv("aes-256-gcm", key.secret, header.subarray(1 + keyIdBytes), { authTagLength: tagBytes });
  decipher.setAAD(additionalData(header, place));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const content = decipher.update(bytes.subarray(headerBytes, bytes.length - tagBytes));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    throw new EnvelopeError("an encrypted value can't be decrypted: it was changed, or it was encrypted for another place");
  }
}

/** The id of the key that opens it, in hex. */
export function envelopeKeyId(envelope: Uint8Array): string {
  return checked(envelope)
    .subarray(1, 1 + keyIdBytes)
    .toString("hex");
}

export function isEnvelopeText(text: string): boolean {
  return text.startsWith(textPrefix);
}

export function writeEnvelopeText(envelope: Uint8Array): string {
  return textPrefix + Buffer.from(envelope).toString("base64url");
}

export function readEnvelopeText(text: string): Uint8Array {
  const coded = text.slice(textPrefix.length);
  if (!isEnvelopeText(text) || !/^[\w-]+$/.test(coded))
    throw new EnvelopeError(`a sealed text begins with ${textPrefix} and continues in base64url`);
  return Buffer.from(coded, "base64url");
}

function checked(envelope: Uint8Array): Buffer {
  const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength);
  if (bytes.length < headerBytes + tagBytes)
    throw new EnvelopeError(`a sealed value has at least ${headerBytes + tagBytes} bytes; this has ${bytes.length}`);
  if (bytes[0] !== version) throw new EnvelopeError(`a sealed value of version ${bytes[0]} is unknown here; known: ${version}`);
  return bytes;
}

/** The header has a fixed length, so the boundary between header and place is unambiguous. */
function additionalData(header: Uint8Array, place: string): Uint8Array {
  return Buffer.concat([header, Buffer.from(place, "utf8")]);
}
