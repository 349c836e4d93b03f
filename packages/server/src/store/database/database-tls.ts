import { readFileSync } from "node:fs";
import type { Tls } from "@millrace/postgres/open-socket.ts";
import { StartError } from "../../base/error/start-error.ts";

const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof modes)[number];

/**
 * TLS by libpq's parameters of a URL: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `sslpassword`. As in libpq, a given CA certificate is
 * checked even with `require`. Undefined if the URL has none of them.
 * @throws StartError for an unknown mode, and an unreadable file
 */
export function tlsOptions(query: Readonly<Record<string, string | undefined>>): Tls | undefined {
  const mode = modeOf(query);
  if (mode === "disable") return false;
  const own = {
    ...(query.sslcert ? { cert: readPem("sslcert", query.sslcert) } : {}),
    ...(query.sslkey ? { key: readPem("sslkey", query.sslkey) } : {}),
    ...(query.sslpassword ? { passphrase: query.sslpassword } : {}),
  };
  const hasRoot = query.sslrootcert !== undefined && query.sslrootcert !== "system";
  const ca = hasRoot ? { ca: readPem("sslrootcert", query.sslrootcert as string) } : {};
  if (mode === "verify-full" || query.sslrootcert === "system") return { ...ca, ...own };
  if (mode === "verify-ca" || hasRoot) return { ...ca, ...own, checkServerIdentity: () => undefined };
  if (Object.keys(own).length > 0) return { ...own, rejectUnauthorized: false };
  return mode === "allow" ? "prefer" : mode;
}

/** Other drivers use `ssl=true` and `ssl=false`. */
function modeOf({ sslmode, ssl }: Readonly<Record<string, string | undefined>>): Mode | undefined {
  const word = sslmode ?? ssl;
  if (word === undefined) return undefined;
  if (word === "true") return "verify-full";
  if (word === "false") return "disable";
  const mode = modes.find((known) => known === word);
  if (mode) return mode;
  throw new StartError(`The database URL has sslmode=${word}; it must be one of ${modes.join(", ")}`);
}

function readPem(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartError(`The file ${path}, which ${parameter} in the database URL names, cannot be read (${code})`, { cause });
  }
}
