/** The text of a secret. One of only a few characters could not be masked in a log without destroying other text. */

export const minSecretLength = 4;
const maxSecretLength = 65_536;

export function isShort(value: unknown): boolean {
  return typeof value === "string" && value.length < minSecretLength;
}

/** Why a value can't be a secret; it never contains the value. */
export function secretFault(value: unknown): string | undefined {
  if (isShort(value)) return `must have at least ${minSecretLength} characters, since a shorter secret cannot be masked in logs`;
  return sealedTextFault(value);
}

/**
 * The same for the text of one of several keys: beside a password, a Secret has a port, a user or `True`, for example, which are sealed and
 * hidden with it and can be too short to be masked.
 */
export function sealedTextFault(value: unknown): string | undefined {
  if (typeof value !== "string") return `must be text, since it is a secret, but is ${Array.isArray(value) ? "a list" : typeof value}`;
  return value.length > maxSecretLength ? `must have at most ${maxSecretLength} characters, but has ${value.length}` : undefined;
}
