import { anyText, autoOr, databaseUrl, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** Where the state is kept, and the key of what is secret in it. */
export const databaseSettings = {
  databaseUrl: optional(
    "DATABASE_URL",
    "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`. Without it an embedded server runs in the data folder.",
    databaseUrl,
    "the embedded server",
  ),
  databaseDirectUrl: optional(
    "MILLRACE_DATABASE_DIRECT_URL",
    "The same database past a connection pooler, for LISTEN and migrations. Needed when `DATABASE_URL` leads through one that pools transactions.",
    databaseUrl,
    "`DATABASE_URL`",
  ),
  databaseConnections: required(
    "MILLRACE_DATABASE_CONNECTIONS",
    "20",
    "Most connections of this process to the database, beside those for LISTEN, for NOTIFY and for the heartbeat of a worker.",
    wholeNumber(4, 1_000),
  ),
  databasePrepare: required(
    "MILLRACE_DATABASE_PREPARE",
    "auto",
    "Whether statements are prepared. `auto`: unless a connection pooler is found at the start; `true`: also behind one, if it keeps them (PgBouncer 1.21 or newer with `max_prepared_statements`); `false`: never. Without, and behind any pooler, statements are sent one at a time.",
    autoOr,
  ),
  pgBin: optional(
    "MILLRACE_PG_BIN",
    "Folder with `initdb` and `postgres`, for an embedded server other than the bundled one. Its major version must be that of the data folder.",
    anyText,
    "the bundled programs",
  ),
  encryptionKey: optional(
    "MILLRACE_ENCRYPTION_KEY",
    "Key for stored secrets: 32 bytes in base64 or hex (`openssl rand -base64 32`). Several with commas between them: the first seals, all open; [how to replace one](encryption-keys.md). Required with `DATABASE_URL`.",
    anyText,
    "the key file",
  ),
  encryptionKeyFile: optional(
    "MILLRACE_ENCRYPTION_KEY_FILE",
    "File that holds the key instead. With the embedded server one is made if it is missing, readable by its owner only; one that others can read is named in a warning at each start.",
    anyText,
    "`encryption-key` in the data folder",
  ),
};
