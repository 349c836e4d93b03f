import { expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { testApp } from "../../kit/app.ts";

const written: string[] = [];
const app = await testApp({ log: createLog("warn", { write: (line: string) => void written.push(line) }) });
const team = await app.make.team();
const admin = app.as();

/** NUL, a lone surrogate and the one byte that is not UTF-8, as a path or a query can spell them. */
const texts = ["%00", "a%00b", "%ED%A0%80", "%ff", "%u0000"];

/** The paths of an endpoint with the text in place of each of its parameters, one at a time. */
function pathsOf({ path }: Endpoint, text: string): string[] {
  const names = path.match(/:\w+/g) ?? [];
  const fill = (name: string) => (name === ":team" ? team.name : "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e");
  return names.map((bad) => path.replace(/:\w+/g, (name) => (name === bad ? text : fill(name))));
}

const queryNames = ({ query }: Endpoint) => Object.keys((query as { properties?: object } | undefined)?.properties ?? {});

test("no path with a character that can't be stored gets to the database, of any endpoint", async () => {
  for (const endpoint of endpoints) {
    for (const path of texts.flatMap((text) => pathsOf(endpoint, text))) {
      const { status, text } = await admin.send(endpoint.method, path, endpoint.method === "GET" ? undefined : {});
      expect([400, 403, 404, 409, 415], `${endpoint.method} ${path}: ${text}`).toContain(status);
      if (path.includes("%00")) expect(status, `${endpoint.method} ${path}: ${text}`).toBe(400);
    }
  }
  expect(written).toEqual([]);
}, 120_000);

test("nor a query", async () => {
  for (const endpoint of endpoints) {
    const [path] = pathsOf(endpoint, team.name);
    for (const name of queryNames(endpoint)) {
      for (const text of ["%00", "a%00b", "%ED%A0%80"]) {
        const url = `${path ?? endpoint.path}?${name}=${text}`;
        const { status, text: answer } = await admin.send(endpoint.method, url, endpoint.method === "GET" ? undefined : {});
        expect(status, `${endpoint.method} ${url}: ${answer}`).toBeGreaterThanOrEqual(400);
        expect(status, `${endpoint.method} ${url}: ${answer}`).toBeLessThan(500);
      }
    }
  }
  expect(written).toEqual([]);
}, 120_000);

test.each(["\\0", "\\ud800", "\\udc00\\ud800"])("nor a document that spells one as the escape %s of YAML", async (spelling) => {
  for (const member of [
    `  workspaces: [{ name: w, mountPath: "/w${spelling}" }]`,
    `  params: [{ name: p, default: "${spelling}" }]`,
    `  "x${spelling}": y`,
  ]) {
    const document = `apiVersion: tekton.dev/v1\nkind: Task\nmetadata: { name: odd }\nspec:\n  steps: [{ script: echo }]\n${member}\n`;
    const { status, text } = await admin.post(`/api/v2/team/${team.name}/task`, document, { "content-type": "application/x-yaml" });
    expect(status, text).toBe(400);
    expect(text).toContain("TASK_INVALID_DEFINITION");
  }
});

test("nor one without a credential, before its team is looked for", async () => {
  for (const path of ["/api/v2/team/%00/workflow/x", "/api/v2/team/%00", "/api/v2/taskrun/%00/log?access_token=%00"]) {
    expect((await app.as(null).get(path)).status).toBe(400);
  }
  expect(written).toEqual([]);
});
