/** Sets the variables that all other commands need: the address of the service, and a token that is read without being displayed. */
export function setUpCommand(origin: string): string {
  return `MILLRACE=${origin}\nread -rs TOKEN`;
}

/** A request as a curl command. @param path e.g. `/api/v2/user/query?limit=100&page=0` */
export function curlCommand(method: string, path: string, body?: unknown): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const json = body === undefined ? "" : ` \\\n  -H "Content-Type: application/json" -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `curl -sS --fail-with-body${verb} "$MILLRACE${path}" -H "Authorization: Bearer $TOKEN"${json}`;
}
