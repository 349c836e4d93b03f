import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { coverageTable, findCoverage } from "./core/task/tekton/coverage.ts";

const usage = `usage: npm run coverage -- FOLDER

Counts the Task documents (.yaml, .yml) of the folder and of those in it: how many can be saved here, what can run
them, and why the others can't. Nothing is stored.
`;

/** `npm run coverage -- FOLDER` */
export async function main([folder, ...more]: readonly string[]): Promise<void> {
  if (folder === undefined || folder.startsWith("-") || more.length > 0) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  try {
    process.stdout.write(`${coverageTable(findCoverage(await readDocuments(folder)))}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    process.stderr.write(`millrace: ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function readDocuments(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map((file) => readFile(file, "utf8")));
}
