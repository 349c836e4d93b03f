/**
 * One `@` with text around it, and nothing that breaks a header or is not seen: whether it can be reached only a mail can show.
 * Format characters (directions, joiners, soft hyphens) and others that leave no mark are none of an address: with them two
 * addresses look the same.
 */
const form = /^[^\s@,;<>"\p{C}\p{DI}\ufffd]{1,64}@[^\s@,;<>"\p{C}\p{DI}\ufffd]{1,255}$/u;

/**
 * The form in which an address is stored and compared: composed (NFC) and in lower case. Undefined for what is not an address.
 * Lower case is not one thing beyond A to Z: the Kelvin sign becomes k, so its owner would be someone else; other letters come out
 * differently here and in the database. So upper case is taken of A to Z only.
 */
export function readEmail(text: string): string | undefined {
  const composed = text.normalize("NFC");
  // Both spellings: composing turns some of these letters, as the Kelvin sign, into plain ones.
  const isRight = form.test(composed) && [text, composed].every((one) => one.toLowerCase() === lowerAscii(one));
  return isRight ? composed.toLowerCase() : undefined;
}

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether it is an address that can be stored and compared; see `readEmail`. */
export function isEmail(text: string): boolean {
  return readEmail(text) !== undefined;
}
