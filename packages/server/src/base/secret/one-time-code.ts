import { randomBytes } from "node:crypto";
import { hashToken } from "./token-text.ts";

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

function group(letters: string): string {
  return letters.match(/.{1,5}/g)?.join("-") ?? "";
}
