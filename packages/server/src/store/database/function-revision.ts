import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { functionsFolder, readFunctions } from "./schema-files.ts";

export const functionRevisionPath = "packages/server/src/store/functions/revision.json";

/**
 * The text of functions/revision.json: a number that is one larger whenever the functions are others than those it was written for. By it
 * a program knows whether the functions of a database are older than its own or newer; a hash says only that they differ.
 */
export async function renderFunctionRevision(): Promise<string> {
  const all = createHash("sha256");
  for (const { name, sha256 } of await readFunctions()) all.update(`${name} ${sha256}\n`);
  const sha256 = all.digest("hex");
  const written = JSON.parse(await readFile(join(functionsFolder, "revision.json"), "utf8")) as { revision: number; sha256: string };
  const revision = written.sha256 === sha256 ? written.revision : written.revision + 1;
  return `${JSON.stringify({ revision, sha256 }, null, 2)}\n`;
}
