import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../base/file/repository-root.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { placeShippedTemplate } from "../domain/template/place-shipped-template.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";

const folder = join(repositoryRoot, "packages/server/catalog/templates");

/** Puts the shipped workflow templates in place, after the global tasks. At each start, and by several processes at once without harm. */
export async function seedTemplates(sql: Database, keyring: Keyring): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json")).sort();
  const documents = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  await transaction(sql, async (tx) => {
    for (const document of documents) await placeShippedTemplate(tx, { author: "millrace", keyring }, document);
  });
}
