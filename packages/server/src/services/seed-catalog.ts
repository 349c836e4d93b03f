import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../base/file/repository-root.ts";
import { upsertGlobalTask } from "../domain/task/upsert-global-task.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";

const folder = join(repositoryRoot, "packages/server/catalog/tasks");

/** Puts the global tasks in place that are always there. At each start, and by several processes at once without harm. */
export async function seedCatalog(sql: Database): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).sort();
  const documents = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  await transaction(sql, async (tx) => {
    for (const document of documents) await upsertGlobalTask(tx, document);
  });
}
