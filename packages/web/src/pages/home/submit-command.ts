/** Starts a run of the sample, or of a workflow that is to be named, by the API. */
export function submitCommand(origin: string, team: string | undefined): string {
  const isSample = team === "getting-started";
  const workflow = isSample ? "hello-chain" : "WORKFLOW";
  const body = isSample ? '{"params": [{"name": "name", "value": "everybody in the mill"}]}' : "{}";
  return [
    "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\",
    `  "${origin}/api/v2/team/${team ?? "TEAM"}/workflow/${workflow}/submit?start=true" \\`,
    `  -d '${body}'`,
  ].join("\n");
}
