import { StartError } from "../base/start-error.ts";

/** Where a database is: a URL as in DATABASE_URL, or the socket folder of a server on this machine. */
export type DatabaseAddress = { url: string } | { socketFolder: string; user: string; database: string; password?: string };

/**
 * The connection part of the driver's options. The driver itself knows neither `?host=/folder` nor an encoded folder as the host
 * (both are common ways to name a socket), so those become a socket address first.
 * @throws StartError for a text that is no PostgreSQL URL; the text is not repeated, because it may hold a password
 */
export function addressOptions(address: DatabaseAddress): { url?: string; options: Record<string, unknown> } {
  const resolved = "url" in address ? parseDatabaseUrl(address.url) : address;
  if ("url" in resolved) return { url: resolved.url, options: {} };
  const { socketFolder, user, database, password } = resolved;
  const options = { path: `${socketFolder}/.s.PGSQL.5432`, user, database };
  return { options: password === undefined ? options : { ...options, password } };
}

/** Either the URL as it is, or the socket folder that it names. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const url = readUrl(text);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  if (!host.startsWith("/")) return { url: text };
  const user = url.searchParams.get("user") ?? decodeURIComponent(url.username);
  const database = url.searchParams.get("dbname") ?? decodeURIComponent(url.pathname.slice(1));
  const password = url.searchParams.get("password") ?? decodeURIComponent(url.password);
  return { socketFolder: host, user: user || "postgres", database: database || user, ...(password ? { password } : {}) };
}

function readUrl(text: string): URL {
  try {
    // libpq accepts `user@/database`, an empty host; the URL standard does not.
    const url = new URL(text.replace(/@\//, "@localhost/"));
    if (url.protocol === "postgres:" || url.protocol === "postgresql:") return url;
  } catch {
    // answered below
  }
  throw new StartError("The database URL must look like postgres://user:password@host:5432/database");
}

/** For messages: where, never with which password. */
export function describeAddress(address: DatabaseAddress): string {
  const resolved = "url" in address ? parseDatabaseUrl(address.url) : address;
  if (!("url" in resolved)) return `${resolved.socketFolder}, database ${resolved.database}`;
  const url = readUrl(resolved.url);
  return `${url.host || "localhost"}, database ${decodeURIComponent(url.pathname.slice(1)) || "(of the user)"}`;
}

/** The address of another database of the same server. */
export function withDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  const resolved = "url" in address ? parseDatabaseUrl(address.url) : address;
  if (!("url" in resolved)) return { ...resolved, database };
  const url = new URL(resolved.url);
  url.pathname = `/${encodeURIComponent(database)}`;
  return { url: url.href };
}
