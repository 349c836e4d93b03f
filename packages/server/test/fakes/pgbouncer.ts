import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DatabaseAddress, parseDatabaseUrl } from "../../src/store/database/database-address.ts";
import { freePort } from "../kit/free-port.ts";
import { until } from "../kit/until.ts";

/** A real PgBouncer with its default settings, in front of a test's database. */
export interface PgBouncer {
  address: { url: string };
  stop(): Promise<void>;
}

const program = "/usr/sbin/pgbouncer";
export const canPool = spawnSync(program, ["--version"]).status === 0;
export const whyNotPooled = "PgBouncer is not installed (Debian: apt-get install pgbouncer)";

/** @param settings lines for its section [pgbouncer], such as `pool_mode=session` */
export async function startPgBouncer(target: DatabaseAddress, settings: Record<string, string> = {}): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const port = await freePort();
  const { user, connection, name } = describeTarget(target);
  const ini = { listen_addr: "127.0.0.1", listen_port: String(port), unix_socket_dir: "", auth_type: "trust", pool_mode: "transaction" };
  const own = { auth_file: join(folder, "users"), logfile: join(folder, "log"), pidfile: join(folder, "pid"), max_client_conn: "500" };
  const lines = Object.entries({ ...ini, ...own, ...settings }).map(([key, value]) => `${key} = ${value}`);
  writeFileSync(join(folder, "users"), `"${user}" ""\n`);
  writeFileSync(join(folder, "ini"), ["[databases]", `${name} = ${connection}`, "[pgbouncer]", ...lines, ""].join("\n"));
  const child = spawn(program, [join(folder, "ini")], { stdio: "ignore", ...asAnotherThanRoot(folder) });
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(() => answers(child, port, join(folder, "log")), "PgBouncer listens", 15_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: { url: `postgres://${user}@127.0.0.1:${port}/${name}` }, stop };
}

function describeTarget(target: DatabaseAddress): { user: string; connection: string; name: string } {
  const resolved = "url" in target ? parseDatabaseUrl(target.url) : target;
  if (!("url" in resolved)) {
    const { socketFolder, user, database } = resolved;
    return { user, name: database, connection: `host=${socketFolder} dbname=${database} user=${user}` };
  }
  const url = new URL(resolved.url);
  const user = decodeURIComponent(url.username);
  const name = decodeURIComponent(url.pathname.slice(1));
  const password = url.password === "" ? "" : ` password='${decodeURIComponent(url.password)}'`;
  return { user, name, connection: `host=${url.hostname} port=${url.port || 5432} dbname=${name} user=${user}${password}` };
}

/**
 * PgBouncer refuses to run as root. In that case the embedded server runs as `nobody`, and PgBouncer does, too, so that it can reach its
 * socket.
 */
function asAnotherThanRoot(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = Number(spawnSync("id", ["-u", "nobody"]).stdout.toString());
  chmodSync(folder, 0o755);
  chownSync(folder, id, id);
  return { uid: id, gid: id };
}

async function answers(child: ChildProcess, port: number, log: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${readFileSync(log, "utf8")}`);
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
