/**
 * One `@` with text around it, and nothing that breaks a header or is invisible: only sending an email can show whether it exists. Format
 * characters (directions, joiners, soft hyphens) and other invisible ones are not allowed: with them two addresses would look the same.
 */
const form = /^[^\s@,;<>"\p{C}\p{DI}\ufffd]{1,64}@[^\s@,;<>"\p{C}\p{DI}\ufffd]{1,255}$/u;

/**
 * The form in which an address is stored and compared: normalized (NFC) and in lower case. Undefined if it is not an address. Beyond A to
 * Z, lower case is ambiguous: the Kelvin sign becomes k, so the address would belong to someone else; other letters differ between here and
 * the database. So only upper case A to Z is accepted.
 */
export function readEmail(text: string): string | undefined {
  const composed = text.normalize("NFC");
  // Both spellings: normalization turns some of these letters, such as the Kelvin sign, into plain ones.
  const isRight = form.test(composed) && [text, composed].every((one) => one.toLowerCase() === lowerAscii(one));
  return isRight ? composed.toLowerCase() : undefined;
}

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether it is an address that can be stored and compared; see `readEmail`. */
export function isEmail(text: string): boolean {
  return readEmail(text) !== undefined;
}
