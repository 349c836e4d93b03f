/** What a shell has to know before any other command: where the service is, and a token that is asked for without being shown. */
export function setUpCommand(origin: string): string {
  return `MILLRACE=${origin}\nread -rs TOKEN`;
}

/** A call as curl makes it. @param path such as `/api/v2/user/query?limit=100&page=0` */
export function curlCommand(method: string, path: string, body?: unknown): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const json = body === undefined ? "" : ` \\\n  -H "Content-Type: application/json" -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `curl -sS --fail-with-body${verb} "$MILLRACE${path}" -H "Authorization: Bearer $TOKEN"${json}`;
}
