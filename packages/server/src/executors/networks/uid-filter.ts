import { spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import type { Readable, Writable } from "node:stream";
import { systemPath } from "../../base/process/system-path.ts";
import { blockOfUser, type Identity, isUserOfSteps } from "../folders/identity.ts";
import { runTool } from "../folders/run-tool.ts";
import { closeRoute, closeRoutes, openRoute, removeRoutes } from "./uid-routes.ts";

/**
 * Blocks the network for users of steps: packet filter rules of the machine (nftables) by the user of the socket. For a service that runs
 * as root and has no better way to isolate steps. A step has no network while its user is in the set `closed`, except for the port of the
 * loopback address that is its proxy. The table belongs to this process, and that of a dead one is removed. Packets of sockets that are no
 * longer open, or not yet, are kept on the machine by routing rules (uid-routes.ts).
 */
export interface UidFilter {
  /** Before the first step starts: nothing from that user leaves. @param port of the loopback address that stays reachable */
  close(identity: Identity, port?: number): Promise<void>;
  /** The user has the network of the machine until `release`. */
  open(identity: Identity): Promise<void>;
  /** Undoes one of these two. */
  release(identity: Identity, as: "closed" | "open", port?: number): Promise<void>;
  /** Closes only the port of the proxy. */
  closePort(identity: Identity, port: number): Promise<void>;
  /** Its processes have ended. Sockets that it has passed to another step still exist, so the user gets no network until `forget`. */
  retire(identity: Identity): Promise<void>;
  /** No process has a socket of a retired user any more. @param isStill whether that is still true at the moment when it is done */
  forget(isStill: () => boolean): Promise<void>;
  /** Removes all of it. */
  end(): Promise<void>;
}

/**
 * @param owner `PID-START-NAME`, by which a later process can tell whether this one is alive
 * @returns the filter after a test, or why there is none
 */
export async function openUidFilter(owner: string, identity: Identity, nodeBinary: string): Promise<UidFilter | { problem: string }> {
  const table = `inet millrace_${owner.replaceAll("-", "_")}`;
  const problem = (await runRules(tableRules(table)))?.message ?? (await closeRoutes(identity.uid));
  const filter = createFilter(table, identity.uid);
  if (problem !== undefined) {
    await filter.end();
    return { problem };
  }
  await filter.close(identity);
  const fault = await tryFilter(identity, nodeBinary);
  await filter.release(identity, "closed");
  if (fault === undefined) return filter;
  await filter.end();
  return { problem: fault };
}

export interface FilterOwners {
  /** Whether the process with that number and start time is alive. */
  isAlive(pid: number, startTicks: number): Promise<boolean>;
  /** Ends the processes of users, before their network is opened. */
  endProcesses(uids: readonly number[]): Promise<void>;
}

export async function removeDeadFilters({ isAlive, endProcesses }: FilterOwners): Promise<void> {
  const { code, stdout } = await runTool("nft", ["list", "tables"]);
  if (code !== 0) return;
  for (const [line, pid, ticks] of stdout.matchAll(tablesOfServices)) {
    if (await isAlive(Number(pid), Number(ticks))) continue;
    const table = line.slice("table ".length);
    await endProcesses(await usersIn(table, "closed"));
    for (const uid of await usersIn(table, "open")) await closeRoute(uid, Number(pid));
    await runRules(`delete table ${table}\n`);
  }
}

const tablesOfServices = /^table inet millrace_(\d+)_(\d+)_\w+$/gm;

async function hasTables(): Promise<boolean> {
  const { stdout } = await runTool("nft", ["list", "tables"]);
  return stdout.match(tablesOfServices) !== null;
}

async function usersIn(table: string, set: "closed" | "open"): Promise<number[]> {
  const { stdout } = await runTool("nft", ["-n", "list", "set", ...table.split(" "), set]);
  const elements = /elements = \{([^}]*)\}/.exec(stdout)?.[1] ?? "";
  return elements.split(",").map(Number).filter(isUserOfSteps);
}

function tableRules(table: string): string {
  return `
add table ${table}
add set ${table} ports { type uid . inet_service; }
add set ${table} open { type uid; }
add set ${table} closed { type uid; }
add set ${table} retired { type uid; flags interval; }
add chain ${table} output { type filter hook output priority 0; policy accept; }
flush chain ${table} output
add rule ${table} output meta skuid @open accept
add rule ${table} output oif lo ip daddr 127.0.0.1 meta skuid . tcp dport @ports accept
add rule ${table} output meta skuid @closed reject
add rule ${table} output meta skuid @retired reject
`;
}

/** Attempts of a team may share a user: what one of them needs stays until the last of them ends. */
function createFilter(table: string, anyUid: number): UidFilter {
  const uses = new Map<string, number>();
  const retired = new RetiredUsers(table);
  const add = async (set: string, element: string): Promise<void> => {
    const key = `${set} { ${element} }`;
    uses.set(key, (uses.get(key) ?? 0) + 1);
    const problem = await runRules(`add element ${table} ${key}\n`);
    if (problem !== undefined) throw new Error(`the network could not be blocked for the step: ${problem.message}`, { cause: problem });
  };
  const remove = async (set: string, element: string): Promise<void> => {
    const key = `${set} { ${element} }`;
    const left = (uses.get(key) ?? 1) - 1;
    if (left > 0) return void uses.set(key, left);
    uses.delete(key);
    await runRules(`delete element ${table} ${key}\n`);
  };
  return {
    async close({ uid }, port) {
      await add("closed", `${uid}`);
      if (port !== undefined) await add("ports", `${uid} . ${port}`);
    },
    async open({ uid }) {
      await add("open", `${uid}`);
      const problem = await openRoute(uid);
      if (problem !== undefined) throw new Error(`the network could not be opened for the step: ${problem}`);
    },
    async release({ uid }, as, port) {
      if (port !== undefined) await remove("ports", `${uid} . ${port}`);
      await remove(as, `${uid}`);
      if (as === "open" && !uses.has(`open { ${uid} }`)) await closeRoute(uid);
    },
    closePort: ({ uid }, port) => remove("ports", `${uid} . ${port}`),
    retire: ({ uid }) => retired.add(uid),
    forget: (isStill) => retired.forget(isStill),
    async end() {
      await runRules(`delete table ${table}\n`);
      if (await hasTables()) return;
      await removeRoutes();
      // A service that has started in the meantime may rely on them.
      if (await hasTables()) await closeRoutes(anyUid);
    },
  };
}

/**
 * Users without a process whose sockets other steps may have: a socket in a message to a UNIX socket goes to whichever process listens
 * there. Stored by blocks, so that the set does not grow with every attempt of a service that is always busy; the other users of a block
 * are users of steps, too.
 */
class RetiredUsers {
  readonly #table: string;
  readonly #blocks = new Set<number>();
  #last: Promise<void> = Promise.resolve();

  constructor(table: string) {
    this.#table = table;
  }

  add(uid: number): Promise<void> {
    const { first, last } = blockOfUser(uid);
    return this.#inTurn(async () => {
      if (this.#blocks.has(first)) return;
      const range = first === last ? `${first}` : `${first}-${last}`;
      const problem = await runRules(`add element ${this.#table} retired { ${range} }\n`);
      if (problem !== undefined) throw problem;
      this.#blocks.add(first);
    });
  }

  forget(isStill: () => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#blocks.size === 0 || !isStill()) return;
      if ((await runRules(`flush set ${this.#table} retired\n`)) === undefined) this.#blocks.clear();
    });
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** @returns the error, if any */
function runRules(rules: string): Promise<Error | undefined> {
  return new Promise((done) => {
    const child = spawn("nft", ["-f", "-"], { stdio: ["pipe", "ignore", "pipe"], env: { PATH: systemPath, LC_ALL: "C" } });
    let errors = "";
    child.on("error", done);
    child.on("close", (code) => done(code === 0 ? undefined : new Error(`nft: ${errors.trim().split("\n")[0] || `exit code ${code}`}`)));
    // If too many files are open there are no pipes, whatever the types say.
    const { stdin, stderr } = child as { stdin: Writable | undefined; stderr: Readable | undefined };
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    stdin?.on("error", () => undefined).end(rules);
  });
}

/** In some containers rules have no effect: so this tests it with a connection as that user. */
async function tryFilter({ uid, gid }: Identity, nodeBinary: string): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as AddressInfo;
  const script = `require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(7)).on("error", () => process.exit(0)).setTimeout(3000, () => process.exit(0))`;
  const { code, stderr } = await runTool("setpriv", [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--", nodeBinary, "-e", script]);
  server.close();
  if (code === 0) return undefined;
  return code === 7 ? "the rules exist but have no effect" : `they could not be tried: ${stderr.trim().split("\n")[0]}`;
}
