import { shortenMiddle } from "../../../base/text/shorten.ts";

/** Far more than an engine says by itself: a registry's words are among its own, and of those there is no end. */
const maxWords = 4_000;

/** Nothing listens at the engine's address, or the connection to it broke; it may come back. */
export class EngineAway extends Error {
  constructor(message?: string) {
    super(shortenMiddle(message ?? "", maxWords));
  }
}

/** The engine's own words about why it does not do what it was asked. */
export class EngineRefusal extends Error {
  /** HTTP status; 0: the refusal came within an answer that had begun well. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(shortenMiddle(message, maxWords));
    this.status = status;
  }
}

interface HttpFailure extends NodeJS.ErrnoException {
  statusCode?: number;
  json?: { message?: string; cause?: string } | Buffer | null;
}

/**
 * What an engine says while it is being stopped, or has lost what it stands on: its containerd. A registry that refuses a
 * connection (`dial tcp`) is none of it.
 */
const goingAway =
  /shutting down|transport is closing|error reading server preface|containerd\.sock|dial unix.*connection refused|server closed|context canceled/i;

/** The same where a registry is asked: with `server closed idle connection` it was the registry that closed it. */
const lostContainerd = /dial unix [^:]*containerd\.sock/i;

/**
 * Names what went wrong between us and the engine as one of the two errors of this file.
 *
 * @param asksRegistry the engine was to ask a registry: what it answers then are mostly words about, or of, that registry
 */
export function toEngineError(error: unknown, asksRegistry = false): EngineAway | EngineRefusal {
  if (error instanceof EngineAway || error instanceof EngineRefusal) return error;
  const { statusCode, json, message, name, code } = error as HttpFailure;
  if (statusCode !== undefined) {
    const words = shortenMiddle(wordsOf(json) ?? message, maxWords);
    const isGoing = (asksRegistry ? lostContainerd : goingAway).test(words);
    return statusCode >= 500 && isGoing ? new EngineAway(words) : new EngineRefusal(statusCode, words);
  }
  if (name === "AbortError" || name === "TimeoutError") return new EngineAway("it did not respond in time");
  if (code !== undefined && away.has(code)) return new EngineAway(`${explanations[code] ?? message} (${code})`);
  // Too many open files, for one, is a fault of this side.
  return Object.assign(new EngineRefusal(0, message), { cause: error });
}

const away = new Set(
  "ENOENT ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EACCES EPERM ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPROTO".split(" "),
).add("ERR_STREAM_PREMATURE_CLOSE");

const explanations: Record<string, string> = {
  ENOENT: "there is no such socket",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  EACCES: "this user has no permission to use the socket; add the user to the group that owns it",
};

function wordsOf(json: HttpFailure["json"]): string | undefined {
  if (json === undefined || json === null) return undefined;
  if (Buffer.isBuffer(json)) return json.toString("utf8").trim() || undefined;
  return json.message || json.cause || undefined;
}
