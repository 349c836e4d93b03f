import { hash, randomBytes, randomInt } from "node:crypto";

/**
 * Tokens as text: a prefix that says the kind, 192 random bits in base 62, and a checksum of six characters, so that a
 * mistyped or truncated token is refused without asking the database, and scanners recognise a leaked one.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 33; // 62^33 > 2^192
const checksumLength = 6;
const shape = new RegExp(`^mr[a-z]_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** @param prefix such as `mrg_` */
export function newTokenText(prefix: string): string {
  return tokenTextOf(prefix, randomBytes(24));
}

/** The same of bytes that the caller can have again, such as a signature. @param bytes 24 of them */
export function tokenTextOf(prefix: string, bytes: Buffer): string {
  const body = prefix + toBase62(BigInt(`0x${bytes.toString("hex")}`), randomLength);
  return body + checksum(body);
}

/** True when the text is one that newTokenText can have made: right form and right checksum. */
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

/** What is kept of a code: in whatever case it was typed, with or without hyphens. */
export function hashOneTimeCode(text: string): Buffer {
  return hashToken(group(text.toUpperCase().replace(/[^0-9A-Z]/g, "")));
}

/** Consonants alone (RFC 8628, 6.1): no words, and nothing that looks like something else. */
const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";

/** Eight letters, 34 bits: for a few minutes, to be typed by a person, where wrong ones are counted. */
export function newUserCode(): string {
  return Array.from({ length: 8 }, (_, index) => `${index === 4 ? "-" : ""}${userCodeLetters[randomInt(userCodeLetters.length)]}`).join("");
}

/** What is kept of it: in whatever case it was typed, with or without the hyphen. */
export function hashUserCode(text: string): Buffer {
  return hashToken(`user code ${text.toUpperCase().replace(/[^A-Z]/g, "")}`);
}

function group(letters: string): string {
  return letters.match(/.{1,5}/g)?.join("-") ?? "";
}

/** Name of the cookie that holds a session's token, before the prefix that browsers want for a secure one. */
export const sessionCookie = "millrace-session";
