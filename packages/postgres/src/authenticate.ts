import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";
import { driverError } from "./database-error.ts";

/** The kinds of Authentication messages. */
const kinds = { ok: 0, cleartext: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 };

/**
 * Answers the server's requests at the start of a connection: with the password, or with a proof that the client knows it (SCRAM-SHA-256,
 * RFC 7677).
 */
export class Authentication {
  readonly #user: string;
  readonly #password: string;
  readonly #nonce = randomBytes(18).toString("base64");
  #serverSignature: Buffer | undefined;
  /** Whether the server must still prove that it knows the password. */
  #awaitsProof = false;

  constructor(user: string, password: string) {
    this.#user = user;
    this.#password = password;
  }

  /**
   * @param asked contents of the message
   * @returns contents of the response; undefined if none is needed
   * @throws Error with a code that begins with SASL_, or with AUTHENTICATION_UNKNOWN
   */
  answer(asked: Buffer): Buffer | undefined {
    const kind = asked.readInt32BE(0);
    const data = asked.subarray(4);
    if (this.#awaitsProof && kind < kinds.saslContinue) {
      throw driverError(
        "SASL_SIGNATURE_MISMATCH",
        "The server left out its proof that it knows the password: it is not the one it says it is",
      );
    }
    if (kind === kinds.ok) return undefined;
    if (kind === kinds.cleartext) return Buffer.from(`${this.#password}\0`);
    if (kind === kinds.md5) return Buffer.from(`md5${md5(md5(this.#password + this.#user), data)}\0`);
    if (kind === kinds.sasl) return this.#first(data.toString().split("\0"));
    if (kind === kinds.saslContinue) return this.#prove(data.toString());
    if (kind === kinds.saslFinal) return this.#check(data.toString());
    throw driverError("AUTHENTICATION_UNKNOWN", `The server asks for a way of authentication (${kind}) that this driver does not know`);
  }

  #first(mechanisms: readonly string[]): Buffer {
    if (!mechanisms.includes(mechanism)) {
      throw driverError("SASL_MECHANISM_UNKNOWN", `The server offers only ${mechanisms.filter(Boolean).join(", ")} to authenticate`);
    }
    this.#awaitsProof = true;
    const message = Buffer.from(`n,,n=*,r=${this.#nonce}`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(message.length);
    return Buffer.concat([Buffer.from(`${mechanism}\0`), length, message]);
  }

  #prove(challenge: string): Buffer {
    const { r: nonce = "", s: salt = "", i: iterations = "" } = attributes(challenge);
    if (!nonce.startsWith(this.#nonce)) throw driverError("SASL_NONCE_MISMATCH", "The server answered another client's authentication");
    const salted = pbkdf2Sync(this.#password, Buffer.from(salt, "base64"), Number(iterations), 32, "sha256");
    const clientKey = hmac(salted, "Client Key");
    const withoutProof = `c=biws,r=${nonce}`;
    const text = `n=*,r=${this.#nonce},${challenge},${withoutProof}`;
    this.#serverSignature = hmac(hmac(salted, "Server Key"), text);
    const signature = hmac(createHash("sha256").update(clientKey).digest(), text);
    const proof = clientKey.map((byte, at) => byte ^ (signature[at] as number));
    return Buffer.from(`${withoutProof},p=${Buffer.from(proof).toString("base64")}`);
  }

  /** Only a server that also knows the password can create this signature. */
  #check(final: string): undefined {
    const signature = Buffer.from(attributes(final).v ?? "", "base64");
    const expected = this.#serverSignature;
    const isProof = expected !== undefined && signature.length === expected.length && timingSafeEqual(signature, expected);
    this.#awaitsProof = !isProof;
    if (isProof) return undefined;
    throw driverError("SASL_SIGNATURE_MISMATCH", "The server does not know the password itself: it is not the one it says it is");
  }
}

const mechanism = "SCRAM-SHA-256";

function attributes(text: string): Record<string, string> {
  return Object.fromEntries(text.split(",").map((part) => [part[0], part.slice(2)]));
}

function md5(text: string, more: Uint8Array = Buffer.alloc(0)): string {
  return createHash("md5").update(text).update(more).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
