import { openLogArchive } from "../../src/archives/log-archive.ts";
import { createLog } from "../../src/base/process/log.ts";
import type { LogStore } from "../../src/domain/log/log-store.ts";
import { LogMover } from "../../src/engine/log-mover.ts";
import { createPool } from "../../src/store/database/database.ts";

/**
 * A process that moves logs to a folder until it is killed. It prints each step on standard output, and then waits for the signal to
 * continue, so that it can be killed at that moment.
 */
const { address, folder } = JSON.parse(process.argv[2] as string);
const sql = createPool(address, {
  maxConnections: 2,
  onStatement: (text: string) =>
    void (/insert into log_object|delete from log_object_unused/.test(text) && process.stdout.write("statement\n")),
});
const archive = await openLogArchive({ kind: "folder", path: folder });

const say = async <Value>(what: string, value: Value): Promise<Value> => {
  process.stdout.write(`${what}\n`);
  await new Promise((resolve) => process.stdin.once("data", resolve));
  return value;
};

const store: LogStore = {
  name: archive.name,
  put: (key, content, signal) => archive.put(key, content, signal).then((value) => say("stored", value)),
  get: (key, signal) => archive.get(key, signal).then((value) => say("read", value)),
  getPart: (...all) => archive.getPart(...all),
  remove: (key, signal) => archive.remove(key, signal).then((value) => say("removed", value)),
};

const mover = new LogMover({ sql, store, hours: 1, log: createLog("silent") });
await mover.round(new AbortController().signal);
process.stdout.write("over\n");
await sql.end();
process.stdin.destroy();
