import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";

/** When a sidecar counts as ready, as Kubernetes `readinessProbe`: a probe only reaches the sidecar's own network and its own container. */
export interface ReadinessProbe {
  action: ExecAction | HttpAction | TcpAction;
  initialDelayMs: number;
  periodMs: number;
  timeoutMs: number;
  /** Number of successes in a row that make it ready. */
  successes: number;
}

/** A program of the sidecar's own image; exit code 0 is success. */
export interface ExecAction {
  kind: "exec";
  command: string[];
}

/** A GET to localhost; any status from 200 to 399 is success, and no redirect is followed. */
export interface HttpAction {
  kind: "http";
  port: number;
  path: string;
  headers: { name: string; value: string }[];
}

/** A connection to localhost. */
export interface TcpAction {
  kind: "tcp";
  port: number;
}

type Members = Record<string, unknown>;
type Fault = { fault: ErrorDetail };

const actions = ["exec", "httpGet", "tcpSocket"] as const;
/** The default of Kubernetes is 10 s, which is long for a task. */
const defaultPeriodSeconds = 1;
const defaultTimeoutSeconds = 1;
const maxSeconds = 3_600;
const maxTimeoutSeconds = 60;
const maxSuccesses = 100;
const maxCommand = 100;
const maxCommandBytes = 65_536;
const maxHeaders = 20;
const maxTextBytes = 2_048;

/**
 * @param probe as written. References in it are not replaced, as in Tekton.
 * @param ports of the sidecar; a probe can refer to their names
 * @param path of the probe in the document
 */
export function readProbe(probe: unknown, ports: unknown, path: string): ReadinessProbe | Fault {
  if (!isObject(probe)) return wrong(path, "must be a map with exec, httpGet or tcpSocket");
  const odd = unknownMember(probe, [...actions, ...numbers, "terminationGracePeriodSeconds"], path);
  if (odd) return odd;
  const given = actions.filter((member) => probe[member] != null);
  const [kind, ...others] = given;
  if (kind === undefined || others.length > 0) return wrong(path, `must have one of ${actions.join(", ")}; it has ${given.length}`);
  const action = readers[kind](probe[kind], ports, `${path}/${kind}`);
  if ("fault" in action) return action;
  const seconds = (member: (typeof numbers)[number], least: number, most: number, otherwise: number) =>
    readWhole(probe[member] ?? otherwise, least, most, `${path}/${member}`);
  const found = {
    delay: seconds("initialDelaySeconds", 0, maxSeconds, 0),
    period: seconds("periodSeconds", 1, maxSeconds, defaultPeriodSeconds),
    timeout: seconds("timeoutSeconds", 1, maxTimeoutSeconds, defaultTimeoutSeconds),
    successes: seconds("successThreshold", 1, maxSuccesses, 1),
    failures: seconds("failureThreshold", 1, maxSeconds, 1),
  };
  const fault = Object.values(found).find((one) => typeof one === "object");
  if (fault !== undefined) return fault;
  const { delay, period, timeout, successes } = found as Record<keyof typeof found, number>;
  return { action, initialDelayMs: delay * 1000, periodMs: period * 1000, timeoutMs: timeout * 1000, successes };
}

const numbers = ["initialDelaySeconds", "periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold"] as const;

const readers: Record<(typeof actions)[number], (written: unknown, ports: unknown, path: string) => ReadinessProbe["action"] | Fault> = {
  exec: readExec,
  httpGet: readHttp,
  tcpSocket: readTcp,
};

function readExec(written: unknown, _ports: unknown, path: string): ExecAction | Fault {
  const command = isObject(written) ? written["command"] : undefined;
  if (!isObject(written) || !Array.isArray(command)) return wrong(`${path}/command`, "must be a list of texts");
  const odd = unknownMember(written, ["command"], path);
  if (odd) return odd;
  const isList = command.length > 0 && command.length <= maxCommand && command.every((text) => typeof text === "string");
  if (!isList || command[0] === "")
    return wrong(`${path}/command`, `must be a list of 1 to ${maxCommand} texts, of which the first is a program`);
  if (command.some((text: string) => text.includes("\0"))) return wrong(`${path}/command`, "must not contain NUL");
  const bytes = Buffer.byteLength(command.join(" "));
  if (bytes > maxCommandBytes) return wrong(`${path}/command`, `has ${bytes} bytes; it can have ${maxCommandBytes}`);
  return { kind: "exec", command: command as string[] };
}

function readTcp(written: unknown, ports: unknown, path: string): TcpAction | Fault {
  if (!isObject(written)) return wrong(path, "must be a map with port");
  const odd = ownHostOnly(written, path) ?? unknownMember(written, ["port", "host"], path);
  if (odd) return odd;
  const port = readPort(written["port"], ports, `${path}/port`);
  return typeof port === "object" ? port : { kind: "tcp", port };
}

function readHttp(written: unknown, ports: unknown, path: string): HttpAction | Fault {
  if (!isObject(written)) return wrong(path, "must be a map with port");
  const odd = ownHostOnly(written, path) ?? unknownMember(written, ["port", "host", "path", "scheme", "httpHeaders"], path);
  if (odd) return odd;
  const { scheme, path: target = "/", httpHeaders = [] } = written;
  if (scheme != null && scheme !== "" && scheme !== "HTTP")
    return wrong(`${path}/scheme`, `is ${shown(scheme)}, which is not supported; it must be HTTP, or use tcpSocket or exec`);
  const port = readPort(written["port"], ports, `${path}/port`);
  if (typeof port === "object") return port;
  const isPath = typeof target === "string" && /^[\x21-\x7e]*$/.test(target) && target.length <= maxTextBytes;
  if (!isPath)
    return wrong(`${path}/path`, `must be a path of at most ${maxTextBytes} characters of ASCII, without blanks, such as /health`);
  if (!Array.isArray(httpHeaders) || httpHeaders.length > maxHeaders)
    return wrong(`${path}/httpHeaders`, `must be a list of name and value, with at most ${maxHeaders} entries`);
  const headers: HttpAction["headers"] = [];
  for (const [index, header] of httpHeaders.entries()) {
    const { name, value } = isObject(header) ? header : ({} as Members);
    if (typeof name !== "string" || typeof value !== "string" || !isHeader(name, value))
      return wrong(`${path}/httpHeaders/${index}`, "must have name and value as texts that HTTP allows");
    headers.push({ name, value });
  }
  return { kind: "http", port, path: target.startsWith("/") ? target : `/${target}`, headers };
}

/** The probing program sets these itself. */
const ownHeaders = ["connection", "content-length", "transfer-encoding"];

function isHeader(name: string, value: string): boolean {
  const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name) && !ownHeaders.includes(name.toLowerCase());
  return isName && /^[\x20-\x7e]*$/.test(value) && value.length <= maxTextBytes;
}

/** Otherwise the probing program could be sent to any host, with the access of its own network. */
function ownHostOnly(written: Members, path: string): Fault | undefined {
  const host = written["host"];
  if (host == null || host === "" || host === "localhost" || host === "127.0.0.1") return undefined;
  return wrong(`${path}/host`, `is ${shown(host)}; a probe asks the sidecar itself, so leave it out`);
}

function readPort(written: unknown, ports: unknown, path: string): number | Fault {
  if (typeof written !== "string") return readWhole(written, 1, 65_535, path);
  const found = (Array.isArray(ports) ? ports : []).find((port) => isObject(port) && port["name"] === written);
  if (found === undefined)
    return wrong(path, `is ${shown(written)}; it must be a number from 1 to 65535, or the name of one of the sidecar's ports`);
  return readWhole((found as Members)["containerPort"], 1, 65_535, path);
}

function readWhole(written: unknown, least: number, most: number, path: string): number | Fault {
  if (typeof written === "number" && Number.isInteger(written) && written >= least && written <= most) return written;
  return wrong(path, `is ${shown(written)}; it must be a whole number from ${least} to ${most}`);
}

function unknownMember(members: Members, known: readonly string[], path: string): Fault | undefined {
  const odd = Object.keys(members).find((member) => !known.includes(member) && members[member] != null);
  return odd === undefined
    ? undefined
    : wrong(`${path}/${escapePointer(odd.slice(0, 80))}`, `is not supported; there can be ${known.join(", ")}`);
}

function wrong(path: string, message: string): Fault {
  return { fault: { path, message } };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 80);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
