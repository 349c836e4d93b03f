import { shortenMiddle } from "../../../base/text/shorten.ts";

/** Far more than an engine's own messages need: they contain those of registries, which can be of any length. */
const maxWords = 4_000;

/** Nothing listens at the engine's address, or the connection broke; the engine may come back. */
export class EngineAway extends Error {
  constructor(message?: string) {
    super(shortenMiddle(message ?? "", maxWords));
  }
}

/** The engine's own message about why it refused a request. */
export class EngineRefusal extends Error {
  /** HTTP status; 0 if the refusal came inside a response that had started successfully. */
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
 * What an engine reports while it is being stopped, or has lost containerd, which it depends on. A registry that refuses a connection
 * (`dial tcp`) is not included.
 */
const goingAway =
  /shutting down|transport is closing|error reading server preface|containerd\.sock|dial unix.*connection refused|server closed|context canceled/i;

/** The same for requests that ask a registry: there, `server closed idle connection` means that the registry closed it. */
const lostContainerd = /dial unix [^:]*containerd\.sock/i;

/**
 * Turns a failure between us and the engine into one of the two errors of this file.
 *
 * @param asksRegistry the engine was asked to contact a registry: its message is then mostly about, or from, that registry
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
  // E.g. too many open files: that is a fault on our side.
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
