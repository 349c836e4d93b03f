import { setTimeout as wait } from "node:timers/promises";
import { judgeStatus, retryAfterMs } from "./parts/http-codes.mjs";
import { readHttpOptions, showUrl } from "./parts/http-options.mjs";
import { tryCall } from "./parts/http-try.mjs";
import { runStep, StepError, writeResult } from "./parts/step.mjs";

/**
 * The basic and the advanced HTTP call. One try follows another while tries are left and the last one may be repeated:
 *
 * - a status that `retrycodes` names, unless `errorcodes` or `successcodes` name it too;
 * - a name that does not resolve, a connection that is refused, reset or silent. When the server may have seen the
 *   request, only for methods that may be sent twice: a POST or PATCH whose fate is unknown is not repeated.
 *
 * Between tries it waits `retrydelay`, or longer when the server says so by Retry-After, at most five minutes.
 */

const longestWaitMs = 300_000;
const repeatableMethods = ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"];
const passingErrors = ["TIMEOUT", "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"];
const unreachableErrors = ["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN"];

/** @typedef {import("./parts/http-try.mjs").HttpResponse | import("./parts/http-try.mjs").HttpBroken} Outcome */

async function main() {
  const options = readHttpOptions();
  for (let tries = 1; ; tries++) {
    const startedAt = Date.now();
    const outcome = await tryCall(options);
    report(options, outcome, Date.now() - startedAt);
    if (tries > options.retries || !mayRepeat(options, outcome)) return finish(options, outcome, tries);
    const asked = outcome.kind === "response" ? retryAfterMs(outcome.retryAfter, Date.now()) : 0;
    const delayMs = Math.min(longestWaitMs, Math.max(options.retryDelayMs, asked));
    process.stdout.write(`try ${tries} of ${options.retries + 1}; the next one in ${delayMs} ms\n`);
    await wait(delayMs);
  }
}

/** @param {import("./parts/http-options.mjs").HttpOptions} options @param {Outcome} outcome @param {number} durationMs */
function report(options, outcome, durationMs) {
  const said = outcome.kind === "response" ? `${outcome.status}, ${outcome.bytes} bytes` : `${outcome.message} (${outcome.code})`;
  process.stdout.write(`${options.method} ${showUrl(options.url)}: ${said}, ${durationMs} ms\n`);
}

/** @param {import("./parts/http-options.mjs").HttpOptions} options @param {Outcome} outcome */
function mayRepeat(options, outcome) {
  if (outcome.kind === "response") return judgeStatus(outcome.status, options.codes) === "retry";
  if (![...passingErrors, ...unreachableErrors].includes(outcome.code)) return false;
  return !outcome.wasSent || repeatableMethods.includes(options.method);
}

/** @param {import("./parts/http-options.mjs").HttpOptions} options @param {Outcome} outcome @param {number} tries */
function finish(options, outcome, tries) {
  const call = `${options.method} ${showUrl(options.url)}`;
  const often = tries > 1 ? ` (tried ${tries} times)` : "";
  if (outcome.kind === "broken") throw new StepError(`${call} failed${often}: ${outcome.message}${adviceFor(outcome)}`);
  writeResult("statusCode", String(outcome.status));
  if (outcome.isTooLarge)
    throw new StepError(`${call}: the response is over 1 MiB, too large for a result; give outputFilePath to keep it in a file`);
  writeResult("response", options.outputFile === undefined ? decodeText(outcome.body) : "");
  if (judgeStatus(outcome.status, options.codes) === "success") return 0;
  const note = outcome.note === undefined ? "" : `; not followed: ${outcome.note}`;
  throw new StepError(`${call} was answered with ${outcome.status}${often}${note}`);
}

/** @param {import("./parts/http-try.mjs").HttpBroken} broken */
function adviceFor(broken) {
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(broken.code)) return "; if you trust this server all the same, set allowUntrustedCerts";
  if (broken.code === "TIMEOUT") return "; parameter timeout sets another limit";
  return "";
}

/** @param {Buffer} body @returns {string} */
function decodeText(body) {
  const text = body.toString("utf8");
  if (text.includes("\uFFFD")) process.stderr.write("the response is not UTF-8 text; give outputFilePath to keep its bytes\n");
  return text;
}

await runStep(main);
