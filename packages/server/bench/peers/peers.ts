import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createLog } from "../../src/base/process/log.ts";
import { EmbeddedServer } from "../../src/store/embedded/embedded.ts";
import { BenchClient } from "../client.ts";
import { installTemporal } from "./install-peers.ts";
import { type Peer, type PeerPlaces, type PeerProgram, type RunningPeer, startProgram } from "./peer.ts";

export const peers: readonly Peer[] = [
  {
    name: "Restate",
    differs: "user code in a warm process; a step is durable in Restate's own log before the next one",
    start: startRestate,
  },
  {
    name: "DBOS",
    differs: "user code in the process that submits; a step is a row of PostgreSQL before the next one",
    start: startLibrary("dbos"),
  },
  {
    name: "graphile-worker",
    differs: "user code in a warm process; a step is a job that adds the next one, and is deleted: there is no history, and no workflow",
    start: startLibrary("graphile-worker"),
  },
  {
    name: "Temporal",
    differs: "user code in a warm process; a step is an activity with its events in SQLite (development server)",
    start: startTemporal,
  },
];

async function startRestate({ packages, data }: PeerPlaces): Promise<RunningPeer> {
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const server = await startProgram(process.execPath, [join(packages, "node_modules/@restatedev/restate-server/lib/index.js")], {
    cwd: packages,
    env: {
      RESTATE_BASE_DIR: data,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      DO_NOT_TRACK: "1",
    },
    ready: /(Ingress HTTP listening|Partition processor.*leader|Server is ready|HTTP server listening)/i,
  });
  const service = await startProgram(process.execPath, ["restate.mjs"], { cwd: packages });
  await callUntilReady(`http://127.0.0.1:${admin}/deployments`, { uri: service.address });
  return runOver(`http://127.0.0.1:${ingress}`, "/chain/run", [service, server]);
}

/** A library on PostgreSQL: on the same server program and settings as Millrace's own, in a data folder of its own. */
function startLibrary(program: string): Peer["start"] {
  return async ({ packages, data }) => {
    const database = await EmbeddedServer.start({ folder: data, log: createLog("error") });
    const { socketFolder, user, database: name } = database.address as { socketFolder: string; user: string; database: string };
    // Both require a host name, and accept the folder of the socket instead.
    const url = `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(socketFolder)}`;
    const service = await startProgram(process.execPath, [`${program}.mjs`], { cwd: packages, env: { DATABASE_URL: url } });
    return runOver(service.address, "/", [service, { pid: database.processId as number, address: "", stop: () => database.stop() }]);
  };
}

async function startTemporal({ packages, data }: PeerPlaces): Promise<RunningPeer | undefined> {
  const command = await installTemporal(packages);
  if (command === undefined) return undefined;
  const port = await freePort();
  const args = ["server", "start-dev", "--headless", "--port", `${port}`, "--db-filename", join(data, "temporal.db")];
  const server = await startProgram(command, args, { cwd: packages, ready: /(Server|Temporal Server):\s+(\S+)/ });
  const service = await startProgram(process.execPath, ["temporal.mjs"], { cwd: packages, env: { TEMPORAL_ADDRESS: `127.0.0.1:${port}` } });
  return runOver(service.address, "/", [service, server]);
}

function runOver(url: string, path: string, programs: readonly PeerProgram[]): RunningPeer {
  const client = new BenchClient(url, ["none"]);
  return {
    pids: programs.map(({ pid }) => pid),
    async run(steps) {
      const value = await client.send("POST", path, { steps });
      if (value !== steps) throw new Error(`${steps} steps were asked for, ${JSON.stringify(value)} have run`);
    },
    async stop() {
      for (const program of programs) await program.stop();
    },
  };
}

/** A server that has just started refuses requests for a moment. */
async function callUntilReady(url: string, body: unknown): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      if (answer.ok) return;
      if (Date.now() > deadline) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A fresh folder for each of them. */
export function dataFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  return folder;
}
