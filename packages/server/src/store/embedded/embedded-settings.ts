/** The settings of the embedded server. They are given on its command line, so that an old data folder follows a new program. */
export function embeddedSettings(major: number, socketFolder: string, overrides: Readonly<Record<string, string>> = {}): string[] {
  const settings: Record<string, string> = {
    ...base,
    ...(major >= 18 ? { io_method: "sync" } : {}),
    unix_socket_directories: socketFolder,
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** For initdb: the same order of text on every machine. Majors before 17 have no provider of their own for it. */
export function localeArguments(major: number): [string, string] {
  return major >= 17 ? ["--locale-provider=builtin", "--locale=C.UTF-8"] : ["--locale-provider=libc", "--locale=C"];
}

const base: Readonly<Record<string, string>> = {
  // Only the private socket: loopback would be open to every user and script of the machine.
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  // Durable to the letter: what was answered survives a power cut.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Small at rest: buffers cost memory only once they are used; no replication, so the least write-ahead log.
  shared_buffers: "64MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  wal_buffers: "4MB",
  min_wal_size: "80MB",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  max_worker_processes: "2",
  max_logical_replication_workers: "0",
  // Our statements are short: parallel workers and just-in-time compilation only cost, and a container's 64 MB /dev/shm stays enough.
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  jit: "off",
  huge_pages: "off",
  // Queue tables change fast: look at them often, so that their statistics and dead rows never get far off.
  autovacuum_naptime: "15s",
  autovacuum_max_workers: "2",
  // The log never shows rows or parameters.
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
  timezone: "UTC",
  lc_messages: "C",
};
