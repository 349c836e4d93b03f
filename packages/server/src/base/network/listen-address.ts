import { isIPv6 } from "node:net";

/** Where it can be opened: the unspecified addresses (0.0.0.0, ::) can't be visited. */
export function localAddress(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  const isEvery = isIPv6(host) && new URL(`http://[${host}]`).hostname === "[::]";
  return `http://${isEvery ? "[::1]" : isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** @param code of the error; @param setting that contains the port */
export function listenRemedy(code: string | undefined, setting: string): string {
  if (code === "EADDRINUSE") return `another program uses this port; stop it, or set ${setting} to another port (0 takes any free one)`;
  if (code === "EACCES") return `this user has no permission; set ${setting} to a port of 1024 or higher`;
  return "set MILLRACE_HOST to an address of this machine";
}
