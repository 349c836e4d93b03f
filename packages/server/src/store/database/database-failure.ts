import { StartError } from "../../base/error/start-error.ts";
import { type DatabaseAddress, describeAddress } from "./database-address.ts";
import { sqlState } from "./database-error.ts";

/**
 * Explains why no connection could be made at the start. Most failures are temporary: a server that starts at the same time, a name that
 * can't be resolved yet, a pooler whose server is unreachable. The failures listed here are permanent, so nothing waits for them, and each
 * has a remedy. They are recognized by SQLSTATE or the code of Node's TLS, and by the message if a pooler has a single code (08P01) for
 * everything.
 */
interface Permanent {
  code: RegExp;
  message?: RegExp;
  remedy: string;
}

const poolerRemedy = "This is a connection pooler. Set MILLRACE_DATABASE_DIRECT_URL to the address of the server itself, past the pooler";

const permanent: readonly Permanent[] = [
  { code: /^08P01$/, message: /unsupported startup parameter/i, remedy: poolerRemedy },
  { code: /^08P01$/, message: /statement pooling/i, remedy: "Set the pooler to transaction or session pooling" },
  { code: /^(28|08)/, message: /no encryption|SSL off|SSL required/i, remedy: "Add sslmode=require to the URL" },
  { code: /^TLS_REFUSED$/, remedy: "Remove sslmode from the URL, or turn on TLS at the server" },
  {
    code: /^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|ERR_TLS_CERT)/,
    remedy:
      "Name the file with the certificate of the server's authority in the URL (sslrootcert=/path), or encrypt without checking (sslmode=require)",
  },
  { code: /^ERR_(SSL|OSSL|TLS)/, remedy: "Check sslmode, sslcert and sslkey in the URL" },
  {
    code: /^(28P01|08P01)$/,
    message: /authentication failed|no such user|password/i,
    remedy: "Check the user and the password; characters such as % / ? # @ in them must be percent-encoded (% as %25)",
  },
  { code: /^(28|3D|42501|42704|22023|0A000)/, remedy: "Check the URL" },
  { code: /^53100$/, remedy: "Free some space on the server's disk" },
  { code: /^08P01$/, message: /no such database/i, remedy: "Check the name of the database in the URL" },
];

/** The remedy; undefined if waiting may help. */
export function remedyFor(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return undefined;
  return permanent.find((one) => one.code.test(code) && (one.message?.test(message) ?? true))?.remedy;
}

/**
 * Whether a retry may succeed a moment later: the connection broke or could not be made, or the server is busy, starting or stopping.
 * Node's errors about a file, or about too many open files, are not about the database.
 */
export function mayPass(error: unknown): boolean {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === "string" && path === undefined && passing.test(code) && remedyFor(error) === undefined;
}

const passing = /^(?:(?:08|40|53|55|57|58)[0-9A-Z]{3}|CONNECT[A-Z_]*|E(?!RR_|[MN]FILE$|NOSPC$|DQUOT$|ROFS$)[A-Z0-9_]+)$/;

/** The server's own message, if it sent one. */
export function describeFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith("CONNECTION_")) return `the connection broke (${code})`;
  if (sqlState(error) !== undefined) return `${message} (${code})`;
  return remedyFor(error) === undefined ? (code ?? message) : `${message} (${code})`;
}

/** @param setting the one that contains the address */
export function unreachable(address: DatabaseAddress, setting: string, error: unknown): StartError {
  const general = "logFile" in address ? `See its log: ${address.logFile}` : `Check ${setting} and that the server runs`;
  const remedy = remedyFor(error)?.replace("the URL", setting) ?? general;
  return new StartError(`The database at ${describeAddress(address)} cannot be used: ${describeFailure(error)}. ${remedy}`, {
    cause: error,
  });
}
