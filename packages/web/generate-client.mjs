// The types of the API for the client, made from openapi.json. They are not in git: each command that needs them sees to it that
// they are there.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const documentFile = here("../server/openapi.json");
const clientFile = here("src/api/schema.generated.ts");

/** Writes src/api/schema.generated.ts, unless it was made from this document by this generator. Milliseconds then, else a few seconds. */
export async function ensureClient() {
  const document = readFileSync(documentFile, "utf8");
  const head = `// Made from packages/server/openapi.json; not to be written by hand. ${hashOf(document)}\n\n`;
  if (existsSync(clientFile) && readFileSync(clientFile, "utf8").startsWith(head)) return;
  // Two commands may do this at once; any reader of the file finds it whole.
  const draft = `${clientFile}.${process.pid}`;
  writeFileSync(draft, head + (await render(document)));
  renameSync(draft, clientFile);
}

/** Of all that the types depend on: the document, this file and the version of the library. */
function hashOf(document) {
  const sources = [document, readFileSync(here("generate-client.mjs"), "utf8"), readFileSync(here("package.json"), "utf8")];
  return createHash("sha256").update(sources.join("\n")).digest("hex");
}

/** @param {string} document */
async function render(document) {
  const { default: openapiTypescript, astToString } = await import("openapi-typescript");
  return astToString(await openapiTypescript(JSON.parse(document), { alphabetize: false, silent: true }));
}
