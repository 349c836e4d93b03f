import { logLevels } from "../base/process/log.ts";
import { anyText, listOf, oneOf, secretToken, trueOrFalse, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** What the process is: where it listens, what it does, what it begins with. */
export const processSettings = {
  host: required(
    "MILLRACE_HOST",
    "127.0.0.1",
    "Address to listen on. `0.0.0.0` or `::` makes the service reachable from the network.",
    anyText,
  ),
  port: required("MILLRACE_PORT", "8080", "Port to listen on. `0` uses a free port, shown in the ready line.", wholeNumber(0, 65_535)),
  healthPort: optional(
    "MILLRACE_HEALTH_PORT",
    "Port on which a process without the role `api` serves `/health`, `/ready` and `/metrics`. `0` uses a free port, shown in the ready line.",
    wholeNumber(0, 65_535),
    "such a process does not listen",
  ),
  bodyLimitBytes: required("MILLRACE_BODY_LIMIT_BYTES", "1048576", "Maximum size of a request body.", wholeNumber(1_024, 104_857_600)),
  dataDir: required(
    "MILLRACE_DATA_DIR",
    ".millrace",
    "Folder for everything that this instance stores on disk. A relative path is resolved from the root of the repository.",
    anyText,
  ),
  roles: required(
    "MILLRACE_ROLES",
    "api,engine,worker",
    "Roles of this process: serve requests (`api`), advance runs (`engine`), execute tasks (`worker`).",
    listOf(oneOf("api", "engine", "worker"), 1),
  ),
  adminToken: optional(
    "MILLRACE_ADMIN_TOKEN",
    "A token with all permissions that exists from the start and activates the instance: at least 20 printable characters. If not set, one is generated and written to `admin-token` in the data folder.",
    secretToken,
    "generated at the first start",
  ),
  seed: required(
    "MILLRACE_SEED",
    "true",
    "If `false`, the team `getting-started` is not created at the first start. The global tasks are always created.",
    trueOrFalse,
  ),
  logLevel: required("MILLRACE_LOG_LEVEL", "info", `Lowest level of messages to log: ${logLevels.join(", ")}.`, oneOf(...logLevels)),
};
