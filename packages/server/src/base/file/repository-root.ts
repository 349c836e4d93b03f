import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of the checkout (or of the installed copy), whether this code runs from its source file or from the bundle in dist/. Files
 * that the program reads as data (migrations, functions of the database, samples) are found relative to it.
 */
export const repositoryRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, "packages/server/migrations"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("packages/server/migrations is in none of the folders above the program");
  return findRoot(parent);
}

/** The installed package contains only what is built from the sources. */
const isCheckout = existsSync(join(repositoryRoot, "packages/server/src/main.ts"));

/** The base of relative paths in settings: an installed program keeps its data where it is started, never next to its code. */
export const settingsFolder = isCheckout ? repositoryRoot : process.cwd();

/** How to call the database commands here, for messages. */
export const dbCommand = isCheckout ? "npm run db --" : "millrace db";

/** The same for the administrator commands. */
export const adminCommand = isCheckout ? "npm run admin --" : "millrace admin";

/** The version of this service, from its package. */
export const productVersion = (
  JSON.parse(readFileSync(join(repositoryRoot, "packages/server/package.json"), "utf8")) as { version: string }
).version;
