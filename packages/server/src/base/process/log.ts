import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

export type Log = Logger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The log of the process: one JSON object per line, so text from outside is always escaped and can't begin a line of its own. Known places
 * of secrets are removed here as well, in case a caller logs a whole object.
 * @param destination standard output unless a test passes another one
 * @param leavesOut called with the error of a line: true if other lines already report it
 */
export function createLog(level: LogLevel, destination?: DestinationStream, leavesOut?: (error: unknown) => boolean): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: escapeMarks, ...(leavesOut && { logMethod: unlessErrorIs(leavesOut) }) },
    redact: { paths: secretPaths, censor: "[hidden]" },
    serializers: { err: describeError, error: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

function unlessErrorIs(leftOut: (error: unknown) => boolean): LogMethod {
  return function write(args, method) {
    const [first] = args as unknown[];
    const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
    if (error === undefined || !leftOut(error)) method.apply(this, args);
  };
}

/**
 * JSON doesn't escape these, but a terminal acts on them: marks of direction, C1 controls, line separators. They are escaped, so that they
 * are visible.
 */
const marks = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

export function escapeMarks(line: string): string {
  return line.replace(marks, (mark) => {
    const units = Array.from({ length: mark.length }, (_, at) => mark.charCodeAt(at).toString(16).padStart(4, "0"));
    return units.map((unit) => `\\u${unit}`).join("");
  });
}

const secretNames = [
  "password",
  "secret",
  "token",
  "accessToken",
  "authorization",
  "cookie",
  "encryptionKey",
  "adminToken",
  "clientSecret",
];
const headerPaths = ['headers["x-access-token"]', 'headers["set-cookie"]', "headers.authorization", "headers.cookie"];
const secretPaths = [
  ...secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  ...headerPaths.flatMap((path) => [path, `*.${path}`]),
];

interface DescribedError {
  type: string;
  message: string;
  code?: unknown;
  stack?: string;
  cause?: DescribedError;
}

/** Only the explanation of an error: a driver attaches the statement's parameters to it, which are people's data. */
function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: hideUrlPasswords(error.message),
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: hideUrlPasswords(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** `scheme://user:password@host` without the password. */
export function hideUrlPasswords(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@]*@/gi, "$1***@");
}
