import type { DocumentedSchema } from "./docs-schema.ts";

export interface CurlParts {
  method: string;
  /** With its parameters in braces. */
  path: string;
  parameters: readonly { name: string; in: string; required: boolean; schema: DocumentedSchema }[];
  /** Its media type, and an example if there is one; undefined: there is no body. */
  body: { mediaType: string; example: unknown } | undefined;
  needsCredential: boolean;
}

/** A command line that calls the operation, for `MILLRACE` and `TOKEN` as the handbook sets them. */
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

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
