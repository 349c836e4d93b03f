import { anyText, autoOr, databaseUrl, wholeNumber, workspaceStore } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** Where the state is stored, and the key for its secrets. */
export const databaseSettings = {
  databaseUrl: optional(
    "DATABASE_URL",
    "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`. If not set, an embedded server runs in the data folder.",
    databaseUrl,
    "the embedded server",
  ),
  databaseDirectUrl: optional(
    "MILLRACE_DATABASE_DIRECT_URL",
    "The same database without a connection pooler, for LISTEN and migrations. Required when `DATABASE_URL` points to a pooler in transaction mode.",
    databaseUrl,
    "`DATABASE_URL`",
  ),
  databaseConnections: required(
    "MILLRACE_DATABASE_CONNECTIONS",
    "20",
    "Maximum number of database connections of this process, not counting those for LISTEN, NOTIFY and the heartbeat of a worker.",
    wholeNumber(4, 1_000),
  ),
  databasePrepare: required(
    "MILLRACE_DATABASE_PREPARE",
    "auto",
    "Whether to prepare statements. `auto`: unless a connection pooler is detected at startup; `true`: always, for a pooler that supports it (PgBouncer 1.21 or newer with `max_prepared_statements`); `false`: never. Without prepared statements, and behind any pooler, statements are sent one at a time.",
    autoOr,
  ),
  pgBin: optional(
    "MILLRACE_PG_BIN",
    "Folder with `initdb` and `postgres`, to use another embedded server than the bundled one. Its major version must match the data folder.",
    anyText,
    "the bundled programs",
  ),
  logStore: optional(
    "MILLRACE_LOG_STORE",
    "Where logs are moved to some time after their task has ended: a bucket such as `s3://bucket/prefix?region=eu-central-1` or `s3://bucket?endpoint=https://minio.internal:9000`, or an absolute path of a folder that all machines mount. Credentials come from the default chain of the AWS SDK. Use the same value for all processes with the roles `api` and `engine`; see [history](history.md#logs-outside-of-the-database).",
    workspaceStore,
    "logs stay in the database",
  ),
  logStoreHours: required(
    "MILLRACE_LOG_STORE_HOURS",
    "24",
    "How many hours after the end of a task its log is moved to `MILLRACE_LOG_STORE`.",
    wholeNumber(1, 8_760),
  ),
  encryptionKey: optional(
    "MILLRACE_ENCRYPTION_KEY",
    "Key for stored secrets: 32 bytes in base64 or hex (`openssl rand -base64 32`). Separate several keys with commas: the first one encrypts, all of them decrypt; [how to replace one](encryption-keys.md). Required with `DATABASE_URL`.",
    anyText,
    "the key file",
  ),
  encryptionKeyFile: optional(
    "MILLRACE_ENCRYPTION_KEY_FILE",
    "File that contains the key. With the embedded server it is created if it doesn't exist, readable only by its owner. A warning at each start names a file that others can read.",
    anyText,
    "`encryption-key` in the data folder",
  ),
};
