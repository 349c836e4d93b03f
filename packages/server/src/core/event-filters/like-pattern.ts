/**
 * LIKE of CloudEvents SQL: `%` stands for any text, `_` for one character, a backslash before one of them for itself. What follows a `%`
 * is looked for from left to right and is never given up again once it is found, so the time is at most the product of both lengths.
 */
export function matchesLike(text: string, pattern: string): boolean {
  const characters = [...text];
  const steps = stepsOf(pattern);
  let at = 0;
  let step = 0;
  let retry: { at: number; step: number } | undefined;
  while (at < characters.length) {
    const wanted = steps[step];
    if (wanted === anyText) {
      step++;
      retry = { at, step };
    } else if (wanted !== undefined && (wanted === anyCharacter || wanted === characters[at])) {
      at++;
      step++;
    } else if (retry) {
      retry.at++;
      ({ at, step } = retry);
    } else return false;
  }
  return steps.slice(step).every((left) => left === anyText);
}

const anyText = Symbol("%");
const anyCharacter = Symbol("_");

function stepsOf(pattern: string): (string | symbol)[] {
  const parts = pattern.match(/\\[%_]|[\s\S]/gu) ?? [];
  return parts.map((part) => {
    if (part === "%") return anyText;
    return part === "_" ? anyCharacter : part.slice(part.length > 1 && part.startsWith("\\") ? 1 : 0);
  });
}
