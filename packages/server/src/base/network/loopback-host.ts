import { isIPv4 } from "node:net";

/** Whether a name or address of a host, as a URL or a setting has it, is this machine: what is sent there crosses no network. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Whether credentials may be sent to that address: over TLS, or without leaving this machine. */
export function isConfidential({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
