import { StepError } from "./step.mjs";

/**
 * Splits a command line into arguments as a shell does, without expanding anything: blanks separate, '…' and "…" keep
 * them together, a backslash takes the next character as it is (inside "…" only before " and \).
 * @param {string} text
 * @returns {string[]}
 */
export function splitArguments(text) {
  /** @type {string[]} */
  const words = [];
  const pattern = /\s+|((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)/gy;
  let end = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[1] !== undefined) words.push(unquote(match[1]));
    end = pattern.lastIndex;
  }
  if (end < text.length) throw new StepError(`parameter pythonArguments has a quote or backslash without its end at character ${end + 1}`);
  return words;
}

/** @param {string} word */
function unquote(word) {
  return word.replace(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, (_all, escaped, double, single) => {
    if (escaped !== undefined) return escaped;
    return double === undefined ? single : double.replace(/\\(["\\])/g, "$1");
  });
}
