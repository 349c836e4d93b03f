import { quote, StepError } from "./step.mjs";

/**
 * @typedef {{ error: string[], success: string[], retry: string[] }} CodeLists
 *
 * Reads `1xx,2xx,404`: each entry is a whole status of three places, in which `x` stands for any digit.
 * @param {string} name the parameter, for the message
 * @param {string} text
 * @returns {string[]}
 */
export function parseCodes(name, text) {
  const entries = text
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "");
  for (const entry of entries) {
    if (!/^[1-5x][0-9x]{2}$/.test(entry)) {
      throw new StepError(`parameter ${name} holds ${quote(entry)}; write statuses of three places, x for any digit, like 404 or 5xx`);
    }
  }
  return entries;
}

/** @param {string[]} patterns @param {number} status @returns {boolean} */
export function hasStatus(patterns, status) {
  const digits = String(status);
  return patterns.some(
    (pattern) => pattern.length === digits.length && [...pattern].every((place, i) => place === "x" || place === digits[i]),
  );
}

/**
 * What a status means: the lists in the order error, success, retry; a status that no list names succeeds when it is 2xx.
 * @param {number} status
 * @param {CodeLists} lists
 * @returns {"success" | "retry" | "failure"}
 */
export function judgeStatus(status, lists) {
  if (hasStatus(lists.error, status)) return "failure";
  if (hasStatus(lists.success, status)) return "success";
  if (hasStatus(lists.retry, status)) return "retry";
  return status >= 200 && status < 300 ? "success" : "failure";
}

/**
 * @param {string | undefined} header a `Retry-After`: whole seconds or an HTTP date (RFC 9110 10.2.3)
 * @param {number} nowMs
 * @returns {number} milliseconds to wait; 0 when there is none or it makes no sense
 */
export function retryAfterMs(header, nowMs) {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
