import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../base/file/repository-root.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { upsertGlobalTask } from "../domain/task/upsert-global-task.ts";
import { placeShippedTemplate } from "../domain/template/place-shipped-template.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";

const templateFolder = join(repositoryRoot, "packages/server/catalog/templates");

/** Installs the shipped workflow templates, after the global tasks. Safe to call at each start, and by several processes at once. */
export async function seedTemplates(sql: Database, keyring: Keyring): Promise<void> {
  const files = (await readdir(templateFolder)).filter((file) => file.endsWith(".json")).sort();
  const documents = await Promise.all(files.map((file) => readFile(join(templateFolder, file), "utf8")));
  await transaction(sql, async (tx) => {
    for (const document of documents) await placeShippedTemplate(tx, { author: "millrace", keyring }, document);
  });
}

const taskFolder = join(repositoryRoot, "packages/server/catalog/tasks");

/** Installs the global tasks that always exist. Safe to call at each start, and by several processes at once. */
export async function seedCatalog(sql: Database): Promise<void> {
  const files = (await readdir(taskFolder)).filter((file) => file.endsWith(".yaml")).sort();
  const documents = await Promise.all(files.map((file) => readFile(join(taskFolder, file), "utf8")));
  await transaction(sql, async (tx) => {
    for (const document of documents) await upsertGlobalTask(tx, document);
  });
}
