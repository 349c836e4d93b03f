// `npm run generate`: writes the files that are made from the code; with --check it only says which are not current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";
import { runProgram } from "./run.mjs";

const args = process.argv.slice(2);
await runProgram("packages/server/src/generate.ts", args);
await generateClient();

/** After the API document, from which it is made. */
async function generateClient() {
  const { renderClient } = await import("../packages/web/generate-client.mjs");
  const path = "packages/web/src/api/schema.generated.ts";
  const file = join(root, path);
  const text = await renderClient(join(root, "packages/server/openapi.json"));
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  const isCheck = args.includes("--check");
  console.log(`${isCheck ? "not current" : "written"}: ${path}`);
  if (isCheck) process.exitCode = 1;
  else writeFileSync(file, text);
}
