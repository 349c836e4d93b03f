import { createLog } from "../../src/base/process/log.ts";
import { EmbeddedServer } from "../../src/store/embedded/embedded.ts";

// Starts the embedded server of the folder in argv, prints one JSON line about it or about why not, and stops it on SIGTERM.
const [folder = "", searchPath] = process.argv.slice(2);
const keepAlive = setInterval(() => {}, 60_000);
try {
  const server = await EmbeddedServer.start({
    folder,
    settings: { fsync: "off" },
    log: createLog("silent"),
    ...(searchPath ? { searchPath } : {}),
  });
  process.once("SIGTERM", async () => {
    await server.stop();
    clearInterval(keepAlive);
  });
  print({ description: server.description, serverPid: server.processId, address: server.address });
} catch (error) {
  print({ problem: (error as Error).message });
  clearInterval(keepAlive);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
