import type { DocumentedSchema } from "./docs-schema.ts";

export interface CurlParts {
  method: string;
  /** The path, with its parameters in braces. */
  path: string;
  parameters: readonly { name: string; in: string; required: boolean; schema: DocumentedSchema }[];
  /** Media type, and an example if there is one. Undefined if the operation takes no body. */
  body: { mediaType: string; example: unknown } | undefined;
  needsCredential: boolean;
}

/** A command line that calls the operation, with `MILLRACE` and `TOKEN` set as in the handbook. */
export function curlLine({ method, path, parameters, body, needsCredential }: CurlParts): string {
  const query = parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => `${name}={${name}}`);
  const words = [
    ["curl"],
    needsCredential ? ['-H "Authorization: Bearer $TOKEN"'] : [],
    method === "GET" || (method === "POST" && body !== undefined) ? [] : [`-X ${method}`],
    body === undefined ? [] : [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`],
    [`"$MILLRACE${path}${query.length > 0 ? `?${query.join("&")}` : ""}"`],
    body === undefined ? [] : [`-d ${body.example === undefined ? "@FILE" : quoted(asText(body.example))}`],
  ];
  return words.flat().join(" ");
}

function asText(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}

/** Quoted as a single word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
