/** The settings of the embedded server. They are passed on its command line, so that an old data folder uses those of a new program. */
export function embeddedSettings(major: number, socketFolder: string, overrides: Readonly<Record<string, string>> = {}): string[] {
  const settings: Record<string, string> = {
    ...base,
    ...(major >= 18 ? { io_method: "sync" } : {}),
    unix_socket_directories: socketFolder,
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** For initdb: the same sort order of text on every machine. Majors before 17 have no provider of their own for it. */
export function localeArguments(major: number): [string, string] {
  return major >= 17 ? ["--locale-provider=builtin", "--locale=C.UTF-8"] : ["--locale-provider=libc", "--locale=C"];
}

const base: Readonly<Record<string, string>> = {
  // Only the private socket: every user and script of the machine could connect to loopback.
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  // Fully durable: what was acknowledged survives a power failure.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Small when idle: buffers cost memory only once they are used; no replication, so the minimal write-ahead log.
  shared_buffers: "64MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  wal_buffers: "4MB",
  min_wal_size: "80MB",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  max_worker_processes: "2",
  max_logical_replication_workers: "0",
  // Our statements are short: parallel workers and just-in-time compilation only cost, and a container's 64 MB /dev/shm is sufficient.
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  jit: "off",
  huge_pages: "off",
  // Queue tables change fast: vacuum and analyze them often, so that statistics stay accurate and dead rows few.
  autovacuum_naptime: "15s",
  autovacuum_max_workers: "2",
  // The log never contains rows or parameters.
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
  timezone: "UTC",
  lc_messages: "C",
};
