import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./base/error/start-error.ts";
import { adminCommand } from "./base/file/repository-root.ts";
import { createLog } from "./base/process/log.ts";
import type { Config } from "./config/read-config.ts";
import { type BackupSummary, backUp } from "./store/database/backup/backup.ts";
import { refuseData, restore } from "./store/database/backup/restore.ts";
import type { Database } from "./store/database/database.ts";
import { parseDatabaseUrl } from "./store/database/database-address.ts";
import { clusterFiles } from "./store/embedded/embedded-launch.ts";
import { markMoved, movedMark, refuseMoved } from "./store/embedded/moved-mark.ts";
import { tryLockRotation } from "./store/secret/encryption-keys.ts";
import { withDatabase, withExternalDatabase } from "./with-database.ts";

export interface Move {
  source: Extract<Config["database"], { kind: "embedded" }>;
  dataDir: string;
  /** File of the encryption key; undefined if a setting contains the key itself. */
  keyFile: string | undefined;
  to: string;
  /** Name of the setting that contains `to`, for messages. */
  setting: string;
}

/**
 * `millrace db move`: copies all data of the embedded database into an empty one on a server.
 *
 * The source is locked from beginning to end, so no service changes it in the meantime. All rows arrive in one transaction, which compares
 * the number of rows of each table. Only after its commit the source is marked as moved. If it is killed before the commit, the target has
 * no rows and the source works as before. Between commit and mark, the source works and the target is a copy that nothing uses. After the
 * mark, the source is refused and the target has everything.
 */
export async function moveDatabase(move: Move): Promise<string> {
  const { source, dataDir } = move;
  if (!existsSync(clusterFiles(source.folder).data))
    throw new StartError(`There is no embedded database in ${source.folder}: set MILLRACE_DATA_DIR to the folder that has one`);
  refuseMoved(source.folder);
  const log = createLog("warn");
  const file = join(dataDir, `${copyPrefix}${process.pid}`);
  return withDatabase(source, false, (from, whence) =>
    withExternalDatabase(parseDatabaseUrl(move.to), { log, setting: move.setting }, async (to, whither) => {
      // The target would get the data with a key that its file no longer has.
      if (!(await tryLockRotation(from))) throw new StartError(`${adminCommand} rotate-key is running: wait for its end`);
      await refuseData(to, remedyFor(move.setting));
      removeCopies(dataDir);
      try {
        const { tables, rows } = await copyAll(from, to, file);
        markMoved(source.folder, whither.replace(/^the database at /, ""));
        return [`moved ${rows} rows of ${tables} tables from ${whence} to ${whither}`, ...nextSteps(move)].join("\n");
      } finally {
        rmSync(file, { force: true });
      }
    }),
  );
}

const copyPrefix = "move-copy-";

const remedyFor = (setting: string) =>
  `set ${setting} to an empty database. If an earlier move into it was interrupted, drop the database and create it again`;

/** What a killed move left behind. No other move is running, because this one holds the lock of the source. */
function removeCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith(copyPrefix)) rmSync(join(dataDir, name), { force: true });
}

async function copyAll(from: Database, to: Database, file: string): Promise<BackupSummary> {
  const saved = await backUp(from, file);
  const loaded = await restore(to, file);
  if (saved.rows === loaded.rows && saved.tables === loaded.tables) return saved;
  // Each table was compared before the commit, so this would be a bug.
  throw new Error(`${saved.rows} rows of ${saved.tables} tables were saved, ${loaded.rows} of ${loaded.tables} loaded`);
}

function nextSteps({ source, keyFile, setting }: Move): string[] {
  const key = keyFile === undefined ? "" : ` and MILLRACE_ENCRYPTION_KEY_FILE=${keyFile}`;
  const url = setting === "DATABASE_URL" ? "the same DATABASE_URL" : "DATABASE_URL=<the URL after --to>";
  return [
    `Start Millrace with ${url}${key}, and the same data folder as before`,
    `The old copy is no longer started. To go back to it, unset DATABASE_URL and delete ${movedMark(source.folder)}; changes since now are lost then`,
  ];
}
