// The types of the API for the client, made from openapi.json by `npm run generate`.
import { readFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

const note = "// Made from packages/server/openapi.json by `npm run generate`; not to be written by hand.\n\n";

/** @param {string} documentFile path of the API document. @returns {Promise<string>} the text of src/api/schema.generated.ts */
export async function renderClient(documentFile) {
  const ast = await openapiTypescript(JSON.parse(readFileSync(documentFile, "utf8")), { alphabetize: false, silent: true });
  return note + astToString(ast);
}
