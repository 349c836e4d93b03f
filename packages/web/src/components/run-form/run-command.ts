/** Text for a shell that stays one word, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Request {
  method?: string;
  url: string;
  body: unknown;
  /** Further ones, as `Name: value`. */
  headers?: readonly string[];
}

/** The same request as a command. The credential stands in a variable, so that it is in no history and on no screen. */
export function curlCommand({ method, url, body, headers = [] }: Request): string {
  const parts = [
    `curl -sS --fail-with-body ${method ? `-X ${method} ` : ""}${shellQuoted(url)}`,
    `-H "Authorization: Bearer $MILLRACE_TOKEN"`,
    ...["Content-Type: application/json", ...headers].map((header) => `-H ${shellQuoted(header)}`),
    `-d ${shellQuoted(JSON.stringify(body, null, 2))}`,
  ];
  return parts.join(" \\\n  ");
}

/** In place of a secret, in what can be copied. */
export const secretPlaceholder = "TYPE_THE_SECRET_HERE";
