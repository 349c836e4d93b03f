import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createInflate, createUnzip } from "node:zlib";
import { connectThrough, egress } from "./egress.mjs";
import { nextHop } from "./http-redirect.mjs";
import { resultLimitBytes } from "./step.mjs";

/**
 * One try of a call: the request, up to five redirects, the whole response, all inside one time limit.
 * It answers with a value and never throws for what a network or a server can do.
 *
 * @typedef {{ kind: "response", status: number, retryAfter?: string, body: Buffer, bytes: number, isTooLarge: boolean, note?:
 *   string }} HttpResponse
 * @typedef {{ kind: "broken", code: string, message: string, wasSent: boolean }} HttpBroken `wasSent`: the server may have seen the request
 */

// Of a name with several addresses, each gets 250 ms by default, which gives up on slow but healthy networks.
setDefaultAutoSelectFamilyAttemptTimeout(2500);

/** @param {import("./http-options.mjs").HttpOptions} options @returns {Promise<HttpResponse | HttpBroken>} */
export async function tryCall(options) {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const state = { wasSent: false };
  try {
    /** @type {import("./http-redirect.mjs").Hop} */
    let hop = { url: options.url, method: options.method, headers: options.headers, body: options.body };
    for (let redirects = 0; ; redirects++) {
      const response = await open(hop, options, signal, state);
      const next = nextHop(hop, response, options.codes, redirects);
      if (next.hop === undefined) return await receive(response, options, signal, next.note);
      response.destroy();
      hop = next.hop;
    }
  } catch (error) {
    return describeBreak(error, signal, options.timeoutMs, state.wasSent);
  }
}

/**
 * @param {import("./http-redirect.mjs").Hop} hop
 * @param {import("./http-options.mjs").HttpOptions} options
 * @param {AbortSignal} signal
 * @param {{ wasSent: boolean }} state
 * @returns {Promise<import("node:http").IncomingMessage>}
 */
function open(hop, options, signal, state) {
  const isSecure = hop.url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(hop.url, {
      method: hop.method,
      headers: hop.body.length > 0 ? { ...hop.headers, "content-length": String(hop.body.length) } : hop.headers,
      ...connectionOf(hop.url, options, signal),
      signal,
    });
    request.on("socket", (socket) => {
      if (egress) state.wasSent = true;
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        state.wasSent = true;
      });
    });
    request.on("response", resolve);
    request.on("error", reject);
    request.end(hop.body);
  });
}

/**
 * A connection of its own for each request, so that each is checked where the way out is a proxy.
 * @param {URL} url @param {import("./http-options.mjs").HttpOptions} options @param {AbortSignal} signal
 * @returns {import("node:https").RequestOptions}
 */
function connectionOf(url, options, signal) {
  const rejectUnauthorized = !options.allowUntrustedCerts;
  if (!egress) return { agent: false, rejectUnauthorized };
  return {
    createConnection(_options, take) {
      connectThrough({ url, signal, rejectUnauthorized }, /** @type {import("./egress.mjs").TakeSocket} */ (take));
      return undefined;
    },
  };
}

/**
 * @param {import("node:http").IncomingMessage} response
 * @param {import("./http-options.mjs").HttpOptions} options
 * @param {AbortSignal} signal
 * @param {string | undefined} note
 * @returns {Promise<HttpResponse>}
 */
async function receive(response, options, signal, note) {
  const isBodiless = options.method === "HEAD" || response.statusCode === 204 || response.statusCode === 304;
  const decoders = isBodiless ? [] : decodersFor(response.headers["content-encoding"]);
  const sink = { body: Buffer.alloc(0), bytes: 0, isTooLarge: false };
  const read = options.outputFile === undefined ? collect(sink) : save(options.outputFile, sink, signal);
  await read(response, decoders);
  const retryAfter = response.headers["retry-after"];
  return { kind: "response", status: response.statusCode ?? 0, retryAfter, note, ...sink };
}

/** @typedef {(source: import("node:http").IncomingMessage, decoders: import("node:stream").Transform[]) => Promise<void>} Reader */

/**
 * Reads into memory, at most what a result may hold. @param {{ body: Buffer, bytes: number, isTooLarge: boolean }} sink @returns {Reader}
 */
function collect(sink) {
  return async (source, decoders) => {
    /** @type {Buffer[]} */
    const chunks = [];
    const target = new Writable({
      write(chunk, _encoding, done) {
        sink.bytes += chunk.length;
        sink.isTooLarge = sink.bytes > resultLimitBytes;
        if (!sink.isTooLarge) chunks.push(chunk);
        done(sink.isTooLarge ? new Error("too large") : null);
      },
    });
    await pipeline([source, ...decoders, target]).catch((error) => {
      if (!sink.isTooLarge) throw error;
    });
    sink.body = Buffer.concat(chunks);
  };
}

/**
 * Writes to a file that gets its name only when it is whole.
 * @param {string} path
 * @param {{ bytes: number }} sink
 * @param {AbortSignal} signal
 * @returns {Reader}
 */
function save(path, sink, signal) {
  return async (source, decoders) => {
    const partial = `${path}.part`;
    await mkdir(dirname(path), { recursive: true });
    const file = createWriteStream(partial);
    try {
      await pipeline([source, ...decoders, file], { signal });
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    sink.bytes = file.bytesWritten;
  };
}

/** @param {string | undefined} encoding a `Content-Encoding`; unknown ones leave the bytes as they are */
function decodersFor(encoding) {
  const names = (encoding ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.reverse().flatMap((name) => {
    if (name === "gzip" || name === "x-gzip") return [createUnzip()];
    if (name === "deflate") return [createInflate()];
    return name === "br" ? [createBrotliDecompress()] : [];
  });
}

/**
 * @param {unknown} error
 * @param {AbortSignal} signal
 * @param {number} timeoutMs
 * @param {boolean} wasSent
 * @returns {HttpBroken}
 */
function describeBreak(error, signal, timeoutMs, wasSent) {
  if (signal.aborted) return { kind: "broken", code: "TIMEOUT", message: `no whole answer within ${timeoutMs / 1000} s`, wasSent };
  const cause = /** @type {NodeJS.ErrnoException & { errors?: Error[] }} */ (error instanceof Error ? error : new Error(String(error)));
  // Several addresses tried: Node gives an aggregate whose own message is empty.
  const message = cause.errors?.map((each) => each.message).join("; ") ?? cause.message;
  return { kind: "broken", code: cause.code ?? "ERROR", message, wasSent };
}
