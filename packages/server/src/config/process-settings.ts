import { logLevels } from "../base/log.ts";
import { anyText, listOf, oneOf, secretToken, trueOrFalse, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** What the process is: where it listens, what it does, what it begins with. */
export const processSettings = {
  host: required("MILLRACE_HOST", "127.0.0.1", "Address to listen on. `0.0.0.0` or `::` opens the service to the network.", anyText),
  port: required("MILLRACE_PORT", "8080", "Port to listen on; `0` takes any free one, which the ready line names.", wholeNumber(0, 65_535)),
  healthPort: optional(
    "MILLRACE_HEALTH_PORT",
    "Port on which a process without the role `api` answers `/health`, `/ready` and `/metrics`; `0` takes any free one, which the ready line names.",
    wholeNumber(0, 65_535),
    "such a process does not listen",
  ),
  bodyLimitBytes: required("MILLRACE_BODY_LIMIT_BYTES", "1048576", "Largest body of a request.", wholeNumber(1_024, 104_857_600)),
  dataDir: required(
    "MILLRACE_DATA_DIR",
    ".millrace",
    "Folder of everything this instance keeps on disk. A relative path starts at the repository's root.",
    anyText,
  ),
  roles: required(
    "MILLRACE_ROLES",
    "api,engine,worker",
    "What this process does: answer requests (`api`), advance runs (`engine`), execute tasks (`worker`).",
    listOf(oneOf("api", "engine", "worker"), 1),
  ),
  adminToken: optional(
    "MILLRACE_ADMIN_TOKEN",
    "A token with all permissions that exists from the start and activates the instance: 20 or more printable characters. Without it one is made and written to `admin-token` in the data folder.",
    secretToken,
    "made at the first start",
  ),
  seed: required(
    "MILLRACE_SEED",
    "true",
    "`false` leaves out the team `getting-started` at the first start. The global tasks are always there.",
    trueOrFalse,
  ),
  logLevel: required(
    "MILLRACE_LOG_LEVEL",
    "info",
    `Least important messages that are logged: ${logLevels.join(", ")}.`,
    oneOf(...logLevels),
  ),
};
