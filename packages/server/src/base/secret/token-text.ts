import { hash, randomBytes, randomInt } from "node:crypto";

/**
 * Tokens as text: a prefix for the kind, 192 random bits in base 62, and a checksum of six characters, so that a mistyped or truncated
 * token is refused without a query, and scanners recognize a leaked one.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 33; // 62^33 > 2^192
const checksumLength = 6;
const shape = new RegExp(`^mr[a-z]_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** @param prefix such as `mrg_` */
export function newTokenText(prefix: string): string {
  return tokenTextOf(prefix, randomBytes(24));
}

/** The same from bytes that can be computed again, such as a signature. @param bytes 24 of them */
export function tokenTextOf(prefix: string, bytes: Buffer): string {
  const body = prefix + toBase62(BigInt(`0x${bytes.toString("hex")}`), randomLength);
  return body + checksum(body);
}

/** True if newTokenText can have created the text: right form and right checksum. */
export function isTokenText(text: string): boolean {
  if (!shape.test(text)) return false;
  const body = text.slice(0, -checksumLength);
  return checksum(body) === text.slice(-checksumLength);
}

/** What is stored and looked up instead of the token: its SHA-256. Tokens are random, so neither salt nor stretching is needed. */
export function hashToken(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function checksum(body: string): string {
  return toBase62(BigInt(`0x${hash("sha256", `checksum:${body}`, "hex").slice(0, 9)}`), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

/** 100 random bits in the letters of Crockford's base 32, in groups that can be read aloud. */
export function newOneTimeCode(): string {
  const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const text = [...randomBytes(20)].map((byte) => letters[byte & 31]).join("");
  return group(text);
}

/** The stored form of a code: independent of case and hyphens. */
export function hashOneTimeCode(text: string): Buffer {
  return hashToken(group(text.toUpperCase().replace(/[^0-9A-Z]/g, "")));
}

/** Consonants only (RFC 8628, 6.1): they form no words, and none looks like another character. */
const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";

/** Eight letters, 34 bits: valid for a few minutes, typed by a person, with a limit on wrong attempts. */
export function newUserCode(): string {
  return Array.from({ length: 8 }, (_, index) => `${index === 4 ? "-" : ""}${userCodeLetters[randomInt(userCodeLetters.length)]}`).join("");
}

/** The stored form: independent of case and the hyphen. */
export function hashUserCode(text: string): Buffer {
  return hashToken(`user code ${text.toUpperCase().replace(/[^A-Z]/g, "")}`);
}

function group(letters: string): string {
  return letters.match(/.{1,5}/g)?.join("-") ?? "";
}

/** Name of the session cookie, without the prefix that browsers require for a secure one. */
export const sessionCookie = "millrace-session";
