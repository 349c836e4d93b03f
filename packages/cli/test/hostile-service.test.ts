import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, cliProcess } from "./cli-process.ts";

/** A service, or something in its place, that sends terminal control sequences wherever it can send text. */
const evil = "x\u001b]0;title\u0007\u001b[2J\u009b31m\u202e";
const run = { id: `i${evil}`, status: "succeeded", statusMessage: evil, duration: 1, results: [{ name: evil, value: evil }] };
const task = { id: `t${evil}`, name: `n${evil}`, status: `s${evil}`, statusMessage: evil, type: "script", attempt: 0, duration: 1 };
const applied = {
  index: 0,
  kind: `W${evil}`,
  name: evil,
  action: `created${evil}`,
  version: evil,
  diff: evil,
  secret: evil,
  warnings: [evil],
};
const workflow = { name: evil, version: evil, status: evil, description: evil, latestRuns: [{ status: evil }] };

const elsewhere = "https://other.example.com/sign-in/device";
const begun = { deviceCode: evil, userCode: evil, verificationUri: elsewhere, expirationDate: evil, intervalSeconds: 0 };

const answers: [path: RegExp, answer: unknown][] = [
  [/\/relay.*\/device\/token/, { status: "refused", token: null }],
  [/\/relay.*\/device/, begun],
  [/\/script.*\/device\/token/, { status: "refused", token: null }],
  [/\/script.*\/device/, { ...begun, verificationUri: `javascript:${evil}` }],
  [/\/misshapen/, { content: 7, results: { [evil]: evil }, tasks: 1 }],
  [/\/not-json/, `${evil}<html>`],
  [/\/problems/, { dryRun: true, documents: [], problems: [{ ...applied, reason: evil, path: `/${evil}`, message: evil }] }],
  [/\/apply/, { dryRun: true, documents: [applied], problems: [] }],
  [/\/workflow\/query/, { content: [workflow], totalElements: 1 }],
  [/\/workflowrun\/query/, { content: [run], totalElements: 1 }],
  [/\/submit|\/workflowrun/, { ...run, tasks: [task] }],
  [/\/token/, { token: evil }],
  [/\/caller/, { name: evil, kind: evil, teams: [{ name: evil }] }],
];

let [cli, url]: [Cli, string] = [] as never;
const server = createServer((request, response) => {
  const found = answers.find(([path]) => path.test(request.url ?? ""));
  if (found === undefined)
    return void response.writeHead(404).end(JSON.stringify({ reason: evil, message: evil, errors: [{ path: evil, message: evil }] }));
  response.writeHead(200).end(typeof found[1] === "string" ? found[1] : JSON.stringify(found[1]));
});

beforeAll(async () => {
  cli = await cliProcess();
  writeFileSync(join(cli.folder, "set.yaml"), "kind: Parameter\n");
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(() => void server.close());

test.each([
  ["", "list workflows", 0],
  ["", "list workflows -o name", 0],
  ["", "run list", 0],
  // In a pipe, YAML is for programs.
  ["", "run get x -o json", 0],
  ["", "run watch x", 0],
  ["", "workflow submit x", 0],
  ["", "workflow submit x --watch", 0],
  ["", "apply -f set.yaml", 0],
  ["", "apply -f set.yaml --dry-run", 0],
  ["", "diff -f set.yaml", 1],
  ["/problems", "apply -f set.yaml", 2],
  ["", "token create x --type global", 0],
  ["", "login", 0],
  ["", "describe schedule x", 4],
  ["", "__complete get workflow ", 0],
  ["/misshapen", "list workflows", 1],
  ["/misshapen", "workflow submit x --watch", 1],
  ["/misshapen", "apply -f set.yaml", 1],
  ["/not-json", "list workflows", 6],
  ["/not-json", "login", 6],
  ["/relay", "login --web", 3],
  ["/script", "login --web", 3],
])("with answers from %j, no output of `millrace %s` controls the terminal", async (base, line, code) => {
  const env = { MILLRACE_URL: `${url}${base}`, MILLRACE_TOKEN: "of-the-test", MILLRACE_TEAM: "mill" };
  const ended = await cli.run(line.split(" "), { env });
  expect(`${ended.out}${ended.error}`).not.toMatch(/(?!\n|\t)[\p{Cc}\p{Cf}]/u);
  expect([ended.code, ended.error.includes("    at ")], ended.error).toEqual([code, false]);
});

test("a service that relays the sign-in of another service is recognized", async () => {
  const { error } = await cli.run(["login", "--web", `${url}/relay`]);
  expect(error).toContain(`The page is at https://other.example.com, and you sign in to ${url}. If they are not the same service`);
  const own = await cli.run(["login", "--web", `${url}/script`]);
  expect(own.error).toMatch(new RegExp(`^Open ${url}/script/sign-in/device and enter the code`));
});
