import type { TestAnswer } from "./app.ts";

/** The cookies of a response as `name=value; name=value`, for the next request; cookies that it removes are left out. */
export function cookiesOf(answer: TestAnswer): string {
  return setCookies(answer)
    .filter((line) => !/Max-Age=0/.test(line))
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/** The header lines as received. */
export function setCookies({ headers }: TestAnswer): string[] {
  const lines = headers["set-cookie"];
  return lines === undefined ? [] : [lines].flat().map(String);
}
