import type { HttpAction, TcpAction } from "../../core/task/tekton/sidecars/readiness-probe.ts";
import { shellProgram } from "../programs/shell-program.ts";

/** Probes a port of the network in which it runs. Arguments: tcp or http, the port, seconds. */
export const probePort = shellProgram("probe-port");

/**
 * The request; its texts contain no line ends or blanks where these would change its meaning
 * (core/task/tekton/sidecars/readiness-probe.ts).
 */
export function requestOf({ port, path, headers }: HttpAction): string {
  const hasHost = headers.some(({ name }) => name.toLowerCase() === "host");
  const all = [...(hasHost ? [] : [{ name: "Host", value: `localhost:${port}` }]), ...headers, { name: "Connection", value: "close" }];
  return `GET ${path} HTTP/1.1\r\n${all.map(({ name, value }) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** @param code of programs/probe-port.sh. @returns undefined if it is ready; otherwise why not, to follow "its readiness probe" */
export function describePort({ kind, port }: HttpAction | TcpAction, code: number): string | undefined {
  if (code === 0) return undefined;
  if (code === 2) return `got a status from port ${port} that is not from 200 to 399`;
  if (code === 3)
    return "has no program to ask with: bash or nc is missing on the machine of the container engine, or in the helper image of pods";
  return kind === "http" ? `got no response from port ${port}` : `could not connect to port ${port}`;
}
