import { validateHeaderName, validateHeaderValue } from "node:http";
import { resolve } from "node:path";
import { parseCodes } from "./http-codes.mjs";
import { paramBytes, paramFlag, paramNumber, paramText, quote, StepError } from "./step.mjs";

const methods = ["GET", "HEAD", "PUT", "POST", "PATCH", "OPTIONS", "DELETE"];

/** These follow from the body; a wrong one would cut the body short or hang the server. */
const framingHeaders = ["content-length", "transfer-encoding"];

/**
 * @typedef {object} HttpOptions
 * @property {URL} url without the name and password it may have held
 * @property {string} method
 * @property {Record<string, string | string[]>} headers names in lower case
 * @property {Buffer} body
 * @property {boolean} allowUntrustedCerts
 * @property {string | undefined} outputFile absolute
 * @property {import("./http-codes.mjs").CodeLists} codes
 * @property {number} retries how often more
 * @property {number} retryDelayMs
 * @property {number} timeoutMs for one try, from the look-up of the name to the last byte
 */

/** Reads all parameters of the call. A StepError says which one is wrong. @returns {HttpOptions} */
export function readHttpOptions() {
  const { url, authorization } = readUrl(paramText("url").trim());
  const headers = readHeaders(paramText("header"));
  const contentType = paramText("contentType").trim();
  if (contentType !== "") addHeader(headers, "Content-Type", contentType, "parameter contentType", true);
  if (authorization !== undefined && headers.authorization === undefined) headers.authorization = authorization;
  const lineage = process.env.MILLRACE_LINEAGE ?? "";
  // Where the call starts a workflow again that has led to it, that ends the loop.
  if (lineage !== "" && headers["millrace-lineage"] === undefined) headers["millrace-lineage"] = lineage;
  const outputFile = paramText("outputFilePath").trim();
  return {
    url,
    method: readMethod(paramText("method").trim().toUpperCase()),
    headers,
    body: paramBytes("body"),
    allowUntrustedCerts: paramFlag("allowUntrustedCerts"),
    outputFile: outputFile === "" ? undefined : resolve(outputFile),
    codes: {
      error: parseCodes("errorcodes", paramText("errorcodes")),
      success: parseCodes("successcodes", paramText("successcodes")),
      retry: parseCodes("retrycodes", paramText("retrycodes")),
    },
    retries: Math.floor(paramNumber("retrynumber", { fallback: 3, min: 0, max: 100 })),
    retryDelayMs: paramNumber("retrydelay", { fallback: 200, min: 0, max: 300_000 }),
    timeoutMs: 1000 * paramNumber("timeout", { fallback: 30, min: 0.05, max: 86_400 }),
  };
}

/** @param {string} method */
function readMethod(method) {
  if (method === "") return "GET";
  if (methods.includes(method)) return method;
  throw new StepError(`parameter method is ${quote(method)}; it must be one of ${methods.join(", ")}`);
}

/** @param {string} text @returns {{ url: URL, authorization?: string }} */
function readUrl(text) {
  if (text === "") throw new StepError("parameter url is empty; write the whole address, like https://example.org/path");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new StepError(`parameter url is ${quote(hideSecrets(text))}; it must be a whole address that begins with http:// or https://`);
  }
  if (url.username === "" && url.password === "") return { url };
  const credentials = `${decode(url.username)}:${decode(url.password)}`;
  url.username = "";
  url.password = "";
  return { url, authorization: `Basic ${Buffer.from(credentials, "utf8").toString("base64")}` };
}

/** @param {string} text percent-encoded, perhaps badly @returns {string} */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} text an address that may not even parse @returns {string} without password and query, either of which may be secret */
function hideSecrets(text) {
  return text.replace(/\/\/[^/]*@/, "//…@").replace(/[?#].*$/s, "?…");
}

/** @param {URL} url @returns {string} the address without its query, which may hold a secret: for the log */
export function showUrl(url) {
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

/** One header a line, split at the first colon, otherwise as written. @param {string} text */
function readHeaders(text) {
  /** @type {Record<string, string | string[]>} */
  const headers = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const where = `line ${index + 1} of parameter header`;
    const colon = line.indexOf(":");
    if (colon < 1) throw new StepError(`${where} has no name before a colon; write one header a line, like Accept: text/plain`);
    const name = line.slice(0, colon).trim();
    if (framingHeaders.includes(name.toLowerCase())) {
      process.stderr.write(`header ${name} is left out: it follows from the body\n`);
    } else {
      addHeader(headers, name, line.slice(colon + 1).trim(), where, false);
    }
  }
  return headers;
}

/**
 * @param {Record<string, string | string[]>} headers
 * @param {string} name
 * @param {string} value
 * @param {string} where for the message, which leaves the value out: it may be a secret
 * @param {boolean} replace
 */
function addHeader(headers, name, value, where, replace) {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new StepError(`${where} is not a valid header: the name or the value holds a character that HTTP does not allow`);
  }
  const key = name.toLowerCase();
  const before = replace ? undefined : headers[key];
  headers[key] = before === undefined ? value : [...[before].flat(), value];
}
