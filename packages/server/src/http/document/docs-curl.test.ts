import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlLine } from "./docs-curl.ts";

const parts = { method: "GET", path: "/api/v2/team/{team}", parameters: [], body: undefined, needsCredential: true };

test("a read is the address with the credential", () => {
  expect(curlLine(parts)).toBe('curl -H "Authorization: Bearer $TOKEN" "$MILLRACE/api/v2/team/{team}"');
});

test("required parameters of the query stand in the address, others do not", () => {
  const query = (name: string, required: boolean) => ({ name, in: "query", required, schema: {} });
  const line = curlLine({
    ...parts,
    needsCredential: false,
    parameters: [query("limit", true), query("page", true), query("sort", false)],
  });
  expect(line).toBe('curl "$MILLRACE/api/v2/team/{team}?limit={limit}&page={page}"');
});

test("a body is its example, as one word of a shell whatever is in it", () => {
  const example = { text: 'it\'s "$HOME" `id`' };
  const line = curlLine({ ...parts, method: "PUT", body: { mediaType: "application/json", example } });
  expect(line).toContain("-X PUT -H 'Content-Type: application/json'");
  const printed = execFileSync("sh", ["-c", line.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8", env: {} });
  expect(printed.split("\n")).toContain(JSON.stringify(example));
});

test("a body without an example is read from a file, and a method that curl does not guess is named", () => {
  const body = { mediaType: "application/x-yaml", example: undefined };
  expect(curlLine({ ...parts, method: "POST", body })).toMatch(
    /^curl -H "Auth[^"]*" -H 'Content-Type: application\/x-yaml' "[^"]+" -d @FILE$/,
  );
  expect(curlLine({ ...parts, method: "POST" })).toContain("-X POST");
  expect(curlLine({ ...parts, method: "DELETE" })).toContain("-X DELETE");
});
