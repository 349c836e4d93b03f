// Checks the limit of open files before anything else is loaded. Only Node's own modules are used here.
import { readFileSync } from "node:fs";

/**
 * The limit must be enough for the service, its database and one task. Node has already raised it as far as possible.
 * @returns {string | undefined} what is wrong, in one line
 */
export function findTooFewFiles() {
  const least = 256;
  const limit = readOpenFiles();
  if (limit >= least) return undefined;
  return `A process may open only ${limit} files here, and Millrace needs ${least} at least. Raise the limit, for example with: ulimit -n 4096 (systemd: LimitNOFILE=4096, Docker: --ulimit nofile=4096)`;
}

function readOpenFiles() {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const [, soft = "unlimited"] = /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
