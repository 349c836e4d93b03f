// The types of the API, made from openapi.json: for the client, the interface and the command line. They are not in git: each command
// that needs them sees to it that they are there.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const documentFile = here("../server/openapi.json");
const typesFile = here("src/schema.generated.ts");

/** Writes src/schema.generated.ts, unless it was made from this document by this generator. Milliseconds then, else a few seconds. */
export async function ensureTypes() {
  const document = readFileSync(documentFile, "utf8");
  const head = `// Made from packages/server/openapi.json; not to be written by hand. ${hashOf(document)}\n\n`;
  if (existsSync(typesFile) && readFileSync(typesFile, "utf8").startsWith(head)) return;
  // Two commands may do this at once; any reader of the file finds it whole.
  const draft = `${typesFile}.${process.pid}`;
  writeFileSync(draft, head + (await render(document)));
  renameSync(draft, typesFile);
}

/** Of all that the types depend on: the document, this file and the version of the library. */
function hashOf(document) {
  const sources = [document, readFileSync(here("generate-types.mjs"), "utf8"), readFileSync(here("package.json"), "utf8")];
  return createHash("sha256").update(sources.join("\n")).digest("hex");
}

/** @param {string} document */
async function render(document) {
  const { default: openapiTypescript, astToString } = await import("openapi-typescript");
  return astToString(await openapiTypescript(JSON.parse(document), { alphabetize: false, silent: true }));
}
