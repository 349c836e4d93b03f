import { exitCodes, Failure } from "../failure.ts";

/** Normalizes a service address to its origin and path, without a slash at the end. @throws {Failure} */
export function readAddress(text: string): string {
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal(text) ? "http" : "https"}://${text}`);
  const remedy = "Give it as in https://millrace.example.com";
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Failure(exitCodes.notUnderstood, `${withoutPassword(text)} is not the address of a service`, remedy);
  // Not shown: it may hold a password.
  if (url.username !== "" || url.password !== "")
    throw new Failure(exitCodes.notUnderstood, "The address contains a user name or a password", "Leave it out, and sign in with a token");
  if (url.search !== "" || url.hash !== "") throw new Failure(exitCodes.notUnderstood, `${text} has a query or a fragment`, remedy);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Text that can't be parsed as an address may still contain a password. */
function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1***@");
}

/** Whether data sent to the address can be read on its way. */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
}

export function nameOf(address: string): string {
  return new URL(address).host;
}

function isLocal(text: string): boolean {
  return isLoopback(text.replace(/[:/].*$/, "")) || text.startsWith("[::1]");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
