import { AppError } from "../base/error/app-error.ts";

/** Reads members of a body whose schema is more tolerant than the rule: null and blank texts mean "not given". */
export function given(text: string | null | undefined): string | undefined {
  return text == null || text.trim() === "" ? undefined : text;
}

/** One of these words, ignoring case. */
export function wordOf(name: string, text: string | null | undefined, words: readonly string[]): string | undefined {
  const wanted = given(text)?.trim().toLowerCase();
  if (wanted === undefined || words.includes(wanted)) return wanted;
  throw invalidMember(name, `is ${JSON.stringify(text)}; it must be one of ${words.join(", ")}`);
}

/** @param message continues after the name: "is …; it must be …" */
export function invalidMember(name: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`body /${name} ${message}`], { details: [{ path: `/${name}`, message }] });
}
