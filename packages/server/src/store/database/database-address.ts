import type { TargetSession } from "@millrace/postgres/options.ts";
import type { PostgresOptions } from "@millrace/postgres/postgres.ts";
import { StartError } from "../../base/error/start-error.ts";
import { tlsOptions } from "./database-tls.ts";

/**
 * The address of a database: a URL as in DATABASE_URL, or the socket folder of a server on this machine, with the log of the embedded one.
 */
export type DatabaseAddress =
  | { url: string }
  | { socketFolder: string; user: string; database: string; password?: string; logFile?: string };

type ServerOptions = Omit<PostgresOptions, "maxConnections">;

/**
 * Where the driver connects to, as which user, and with which session settings.
 * @throws StartError for a text that is not a PostgreSQL URL; the text is not repeated, because it may contain a password
 */
export function addressOptions(address: DatabaseAddress): ServerOptions {
  const resolved = "url" in address ? parseDatabaseUrl(address.url) : address;
  if ("url" in resolved) return urlOptions(readUrl(resolved.url));
  const { socketFolder, user, database, password } = resolved;
  const options = { path: `${socketFolder}/.s.PGSQL.5432`, user, database };
  return password === undefined ? options : { ...options, password };
}

function urlOptions(url: URL): ServerOptions {
  const query = Object.fromEntries(url.searchParams);
  const hosts = (query.host || decodeURIComponent(url.hostname)).split(",").filter((host) => host !== "");
  const named: ServerOptions = {
    host: hosts.length === 0 ? undefined : hosts.map((host) => host.replace(/^\[|\]$/g, "")),
    port: Number(query.port ?? url.port) || undefined,
    user: (query.user ?? decodeURIComponent(url.username)) || undefined,
    password: (query.password ?? decodeURIComponent(url.password)) || undefined,
    database: (query.dbname ?? decodeURIComponent(url.pathname.slice(1))) || undefined,
    target: query.target_session_attrs === undefined ? undefined : targetOf(query.target_session_attrs),
    tls: tlsOptions(query),
    settings: Object.fromEntries(Object.entries(query).filter(([name]) => !clientParameters.has(name))),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

const targets: readonly TargetSession[] = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"];

function targetOf(word: string): TargetSession {
  const target = targets.find((known) => known === word);
  if (target !== undefined) return target;
  throw new StartError(`The database URL has target_session_attrs=${word}; it must be one of ${targets.join(", ")}`);
}

/** Parameters of a URL that the client uses itself; all others are session settings. Those of libpq, and those that other tools add. */
const clientParameters = new Set(
  `host hostaddr port user password dbname passfile require_auth channel_binding connect_timeout fallback_application_name keepalives
   keepalives_idle keepalives_interval keepalives_count tcp_user_timeout replication gssencmode krbsrvname gsslib gssdelegation service
   target_session_attrs load_balance_hosts ssl sslmode sslnegotiation sslcompression sslcert sslkey sslpassword sslcertmode sslrootcert sslcrl
   sslcrldir sslsni ssl_min_protocol_version ssl_max_protocol_version requirepeer pgbouncer connection_limit pool_timeout pool_max_conns
   max prepare idle_timeout max_lifetime max_pipeline backoff keep_alive debug fetch_types publications`.split(/\s+/),
);

/** Either the URL itself, or the socket folder that it names. */
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
  if (hasRawCharacter(text)) {
    throw new StartError(
      "The user or password in the database URL has a character that ends that part of a URL: percent-encode it (/ as %2F, ? as %3F, # as %23, % as %25, @ as %40)",
    );
  }
  try {
    // libpq accepts `user@/database`, an empty host; the URL standard does not.
    const url = new URL(text.replace(/@\//, "@localhost/"));
    if (url.protocol === "postgres:" || url.protocol === "postgresql:") return url;
  } catch {
    // answered below
  }
  throw new StartError("The database URL must look like postgres://user:password@host:5432/database");
}

/** A raw `/`, `?` or `#` in the password ends the host part before its `@`; a raw `%` is not an escape. */
function hasRawCharacter(text: string): boolean {
  const [, authority = "", path = "", query = "", hash = ""] = /^\w+:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const isCutOff = path.includes("@") || hash.includes("@") || query.split("&").some((pair) => pair.split("=", 1)[0]?.includes("@"));
  return (isCutOff && !authority.includes("@")) || /%(?![0-9a-f]{2})/i.test(authority + path);
}

/** For messages: the location, never the password. */
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
