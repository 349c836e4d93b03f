/** One `@` with text around it, and nothing that breaks a header: whether it can be reached only a mail can show. */
const form = /^[^\s@,;<>"\p{Cc}\ufffd]{1,64}@[^\s@,;<>"\p{Cc}\ufffd]{1,255}$/u;

/**
 * Addresses are compared in lower case, so upper case is taken of A to Z only. Beyond these, lower case is not one thing: the Kelvin sign
 * becomes k, so its owner would be somebody else; other letters come out differently here and in the database.
 */
export function isEmail(text: string): boolean {
  return form.test(text) && text.toLowerCase() === text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
