import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type StartedService, startService } from "../../server/test/kit/start/start-service.ts";
import { type Cli, cliProcess } from "./cli-process.ts";

/** The program as users run it, against a service that `npm start` started. */

const data = mkdtempSync(join(tmpdir(), "millrace-cli-data-"));
let [service, cli]: [StartedService, Cli] = [] as never;
let token = "";
let ci: Record<string, string> = {};

beforeAll(async () => {
  cli = await cliProcess();
  service = await startService(data);
  token = readFileSync(join(data, ".millrace/admin-token"), "utf8").trim();
  ci = { MILLRACE_URL: service.address, MILLRACE_TOKEN: token, MILLRACE_TEAM: "getting-started" };
  // Until then, only global tokens are accepted.
  await service.api("PUT", "/activate", { code: readFileSync(join(data, ".millrace/one-time-code"), "utf8").trim() });
  for (const [name, script] of Object.entries({ fails: "echo before; exit 3", slow: "echo started; sleep 300" }))
    await service.api("PUT", "/team/getting-started/workflow", workflowOf(name, script));
}, 180_000);
afterAll(async () => {
  await service?.stop();
  rmSync(data, { recursive: true, force: true });
});

function workflowOf(name: string, script: string) {
  const task = {
    name: "work",
    type: "script",
    taskRef: "execute-shell",
    params: [{ name: "script", value: script }],
    dependencies: [{ taskRef: "start" }],
  };
  return { name, tasks: [{ name: "start", type: "start" }, task, { name: "end", type: "end", dependencies: [{ taskRef: "work" }] }] };
}

const run = (...args: string[]) => cli.run(args, { env: ci });

describe("signing in", () => {
  const file = () => join(cli.folder, ".config/millrace/config.json");

  test("a token from standard input is checked, and saved so that only its owner can read it", async () => {
    const signedIn = await cli.run(["login", service.address, "--token-stdin"], { input: `${token}\n` });
    expect(signedIn).toMatchObject({
      code: 0,
      error: "",
      out: expect.stringContaining(`Signed in to ${service.address} as first administrator`),
    });
    expect([file(), join(file(), "..")].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["600", "700"]);
    expect(readdirSync(join(file(), ".."))).toEqual(["config.json"]);
    expect(await cli.run(["list", "workflows", "-o", "name"])).toMatchObject({ code: 0, out: expect.stringContaining("hello-chain\n") });
  });

  test("a wrong token is refused, and changes nothing that is saved", async () => {
    const before = readFileSync(file());
    const refused = await cli.run(["login", service.address, "--token-stdin"], { input: "mrt_wrong-wrong-wrong" });
    expect(refused).toMatchObject({ code: 3, out: "", error: expect.stringMatching(/^millrace: No valid credential/) });
    expect(readFileSync(file())).toEqual(before);
    expect((await cli.run(["login"], { env: { MILLRACE_URL: service.address } })).code).toBe(2);
  });

  test("no output and no error ever has the token, and no command takes one as an argument", async () => {
    const shown = [
      ["context", "show", "-o", "json"],
      ["context", "list", "-o", "yaml"],
      ["login", service.address, token],
      ["list", "teams", `--token=${token}`],
    ];
    const unreachable = { env: { ...ci, MILLRACE_URL: "http://127.0.0.1:1", MILLRACE_TOKEN: token } };
    const ended = await Promise.all([...shown.map((args) => cli.run(args)), cli.run(["list", "teams"], unreachable)]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 2, 2, 6]);
    expect(JSON.stringify(ended)).not.toContain(token);
  });

  test("a saved token is never sent to another address", async () => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    expect(await cli.run(["list", "teams", "--url", url])).toMatchObject({
      code: 3,
      error: expect.stringContaining(`There is no token for ${url}`),
    });
    expect((await cli.run(["list", "teams"], { env: { MILLRACE_URL: url } })).code).toBe(3);
    expect(seen).toEqual([]);
  });

  test("contexts are listed, chosen and removed, and signing out forgets the token", async () => {
    await cli.run(["login", service.address, "--name", "second", "--token-stdin"], { input: token });
    expect((await cli.run(["context", "list", "-o", "name"])).out.split("\n")).toContain("second");
    expect((await cli.run(["context", "use", "second", "--team", "none"])).code).toBe(0);
    expect(await cli.run(["run", "list"])).toMatchObject({ code: 4, error: expect.stringContaining("There is no team none") });
    expect((await cli.run(["logout"])).code).toBe(0);
    expect(await cli.run(["run", "list"])).toMatchObject({ code: 3, error: expect.stringContaining("millrace login") });
    expect(JSON.parse(readFileSync(file(), "utf8")).contexts.second).not.toHaveProperty("token");
    expect((await cli.run(["context", "remove", "second"])).code).toBe(0);
    expect((await cli.run(["context", "show", "second"])).code).toBe(4);
  });
});

describe("running", () => {
  test("a watched run shows each task, its log and the outcome, and ends with 0", async () => {
    const { code, out, error } = await run("workflow", "submit", "hello-chain", "--param", "name=Ann", "--label", "by=test", "--watch");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^Submitted run \S+\n/);
    expect(out).toMatch(/^greet +│ Hello, Ann!\n(.*\n)*?greet +succeeded/m);
    expect(out).toMatch(/^frame-long +skipped +Switch/m);
    expect(out).toMatch(/\nRun \S+ succeeded after .*\n$/);
    const list = await run("run", "list", "--label", "by=test", "-o", "json");
    expect(JSON.parse(list.out)).toMatchObject([{ workflowName: "hello-chain", status: "succeeded" }]);
  });

  test("a failed run exits with 1 and says why; an undeclared parameter is sent with a warning", async () => {
    const { code, out, error } = await run("workflow", "run", "fails", "--param", "cause=none", "--wait");
    expect(error).toMatch(/^millrace: Warning: fails declares no parameter cause\. /);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^Run \S+ failed after .*work.*\n$/) });
    const failed = await run("workflow", "submit", "fails", "--wait", "-o", "json");
    expect(JSON.parse(failed.out)).toMatchObject({ status: "failed" });
    const again = await run("run", "rerun", JSON.parse(failed.out).id, "--watch");
    expect(again).toMatchObject({ code: 1, out: expect.stringMatching(/^work +│ before$/m) });
  });

  test("tasks with nested workflows are shown with their items, rounds and runs, which can be opened", async () => {
    const valuesOf = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));
    const inner = (value: string) => ({
      params: [{ name: "n", type: "text" }],
      tasks: [{ name: "set", taskRef: "set-result-parameter", params: valuesOf({ output: "n", value }) }],
    });
    const each = { forEach: { items: ["a", "b"] }, params: valuesOf({ n: "$(params.item)" }), workflow: inner("item $(params.n)") };
    const loop = { until: { value: "$(loop.previous.results.n)", matches: "1" }, maxRounds: 5 };
    const rounds = { loop, params: valuesOf({ n: "$(loop.index)" }), workflow: inner("$(params.n)") };
    const tasks = [
      { name: "each", ...each },
      { name: "rounds", ...rounds, dependencies: [{ taskRef: "each" }] },
    ];
    await service.api("PUT", "/team/getting-started/workflow", { name: "nests", tasks });
    const { code, out } = await run("workflow", "submit", "nests", "--watch");
    expect(code, out).toBe(0);
    expect(out).toMatch(/^each\[1\] +succeeded .* run \S+$/m);
    expect(out.match(/^Follow a run that a task started with: millrace run watch \S+$/gm)).toHaveLength(1);
    const got = await run("run", "describe", /^Submitted run (\S+)/.exec(out)![1]!);
    expect(got.out).toMatch(/^TASK +STATUS +DURATION +RUN +MESSAGE$/m);
    expect(got.out).toMatch(/^each +succeeded .* 2 items: 2 succeeded$/m);
    expect(got.out).toMatch(/^rounds +succeeded .* 2 rounds$/m);
    const [, round] = /^rounds\[1\] +succeeded +\S+(?: \S+)? +([0-9a-f-]{36})$/m.exec(got.out) ?? [];
    const opened = (await run("run", "get", round!)).out;
    expect(opened).toMatch(/^\S+ +nests \/ rounds +succeeded /m);
    expect(opened).toMatch(/^set +succeeded(.*\n)*\nResults\n"n": "1"/m);
    const described = await run("describe", "workflow", "nests");
    expect(described.out).toMatch(/^each +runworkflow +nested workflow +for each item +start$/m);
    expect(described.out).toMatch(/^each\/set +setwfproperty +set-result-parameter/m);
    expect(described.out).toMatch(/^rounds +runworkflow +nested workflow +until a condition holds, at most 5 times +each$/m);
  });

  test("Ctrl-C while watching leaves the run running and says how to continue; a cancelled run exits with 7", async () => {
    const watching = cli.start(["workflow", "submit", "slow", "--watch"], { env: ci });
    await watching.until("│ started");
    watching.child.kill("SIGINT");
    const { code, error, out } = await watching.ended;
    const id = /^Submitted run (\S+)/.exec(out)![1]!;
    expect({ code, error }).toEqual({ code: 130, error: expect.stringContaining(`millrace run watch ${id}`) });
    expect((await run("run", "watch", id, "--timeout", "200ms")).code).toBe(8);
    const follower = cli.start(["run", "watch", id], { env: ci });
    await follower.until("│ started");
    expect(await run("run", "cancel", id)).toMatchObject({ code: 0, out: `Run ${id} is cancelled\n` });
    expect(await follower.ended).toMatchObject({ code: 7, out: expect.stringMatching(/Run \S+ cancelled/) });
    expect((await run("run", "cancel", id)).code).toBe(5);
  });

  test("logs are written unchanged: with task names for all tasks, without them for one", async () => {
    const id = (await run("workflow", "submit", "hello-chain", "--wait", "-o", "name")).out.trim();
    expect((await run("run", "logs", id)).out.split("\n")).toContain("greet │ Hello, world!");
    expect(await run("run", "logs", id, "--task", "greet", "-f")).toMatchObject({ code: 0, out: "Hello, world!\n" });
    expect(await run("run", "logs", id, "--task", "none")).toMatchObject({ code: 4, error: expect.stringContaining("It has: ") });
    expect((await run("run", "get", id)).out).toMatch(/\nResults\n\S+: /);
  });

  test("an approval is found and given, and the run continues", async () => {
    const watching = cli.start(["workflow", "submit", "release-approval", "--watch"], { env: ci });
    await watching.until("Waiting for an approval");
    const action = (await run("action", "list", "--workflow", "release-approval", "-o", "name")).out.trim();
    expect(await run("action", "comment", action, "Which region?")).toMatchObject({ code: 0, out: `Commented on action ${action}\n` });
    expect((await run("action", "delegate", action, "--user", "nobody@example.com")).code).toBe(3);
    expect(await run("action", "approve", action, "--field", "region=eu")).toMatchObject({
      code: 2,
      error: expect.stringContaining('there is no field "region"; this action has no fields'),
    });
    expect(await run("action", "approve", action, "--comment", "Looks good")).toMatchObject({
      code: 0,
      out: `Approved action ${action}\n`,
    });
    await watching.until("wait-for-deployment   waiting");
    expect((await run("action", "reject", action)).code).toBe(5);
    expect((await run("audit", "list", "-o", "name")).out).toContain(action);
    const verified = await run("audit", "verify");
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("the chain is unbroken") });
    const noted = /Last record: (\S+)/.exec(verified.out)?.[1] ?? "";
    expect((await run("audit", "verify", "--noted", noted)).code).toBe(0);
    expect(await run("audit", "verify", "--noted", `${noted.split(":")[0]}:${"0".repeat(64)}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining("has a different hash than the noted one"),
    });
    watching.child.kill("SIGTERM");
    expect((await watching.ended).code).toBe(143);
  });

  test("a usage error, a missing object and an unreachable service each have their own exit code", async () => {
    const codes = await Promise.all([
      run("workflow", "submit", "none").then(({ code }) => code),
      run("workflow", "submit", "hello-chain", "--param", "novalue").then(({ code }) => code),
      cli.run(["run", "list"], { env: { ...ci, MILLRACE_TOKEN: "mrt_invalid-invalid" } }).then(({ code }) => code),
      cli.run(["run", "list"], { env: { ...ci, MILLRACE_URL: "http://127.0.0.1:1" } }).then(({ code }) => code),
      run("delete", "workflow", "..", "--yes").then(({ code }) => code),
      run("delete", "workflow", "fails").then(({ code }) => code),
    ]);
    expect(codes).toEqual([4, 2, 3, 6, 4, 2]);
  });
});

/** `script` gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

describe.runIf(hasTerminals)("at a terminal", () => {
  function atTerminal(line: string, { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {}) {
    const terminal = { PATH: `${cli.bin}:${process.env.PATH}`, HOME: cli.folder, TERM: "xterm-256color", ...ci, ...env };
    const ended = spawnSync("script", ["-qec", `stty cols 100; millrace ${line}`, "/dev/null"], {
      cwd: cli.folder,
      env: terminal,
      input,
      encoding: "utf8",
    });
    return { code: ended.status, shown: ended.stdout.replaceAll("\r\n", "\n") };
  }

  test("text by others can't move the cursor or hide anything; colors of logs stay, unless NO_COLOR is set", async () => {
    const script = "printf 'red \\033[31mtext\\033[2J\\033]0;title\\007\\n'";
    await service.api("PUT", "/team/getting-started/workflow", { ...workflowOf("hostile", script), description: "for\u202eward" });
    expect(atTerminal("list workflows --search hostile").shown).toContain("for<U+202E>ward");
    expect(atTerminal("get workflow hostile").shown).toContain("for<U+202E>ward");
    const watched = atTerminal("workflow submit hostile --watch");
    expect(watched).toMatchObject({ code: 0, shown: expect.stringContaining("red \u001b[31mtext") });
    for (const honoured of ["\u001b[2J", "\u001b]0", "\u0007"]) expect(watched.shown).not.toContain(honoured);
    const id = /run (\S+)/.exec(watched.shown)![1]!;
    const plain = atTerminal(`run logs ${id}`, { env: { NO_COLOR: "1" } }).shown;
    expect(plain).toMatch(/^red text/);
    expect(plain).not.toContain("\u001b");
    expect((await run("run", "logs", id)).out.startsWith("red \u001b[31mtext")).toBe(true);
  });

  test("the prompt for a token does not show what is typed", async () => {
    const env = { PATH: `${cli.bin}:${process.env.PATH}`, HOME: cli.folder, TERM: "xterm-256color" };
    const child = spawn("script", ["-qec", `millrace login ${service.address} --name asked`, "/dev/null"], { env });
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (!shown.includes("Access token for") && `${shown}${text}`.includes("Access token for")) child.stdin.write(`${token}\n`);
      shown += text;
    });
    const [code] = await once(child, "close");
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining("Context: asked") });
    expect(shown).not.toContain(token);
  });

  test("nothing is deleted without a yes", async () => {
    expect(atTerminal("delete workflow hostile", { input: "n\n" })).toMatchObject({
      code: 1,
      shown: expect.stringContaining("Delete workflow hostile?"),
    });
    expect(atTerminal("delete workflow hostile", { input: "y\n" })).toMatchObject({
      code: 0,
      shown: expect.stringContaining("Deleted workflow hostile"),
    });
  });
});

describe("many runs, and what people say about them", () => {
  test("are counted and changed together, with progress; a filter without a match changes nothing", async () => {
    for (let n = 0; n < 2; n++) await run("workflow", "submit", "slow", "--label", "kind=many");
    const many = ["--label", "kind=many", "--since", "1h"];
    expect((await run("run", "bulk", "cancel", ...many, "--dry-run")).out).toBe("Would cancel 2 runs.\n");
    expect(await run("run", "bulk", "cancel")).toMatchObject({ code: 2, error: expect.stringContaining("The filter is missing") });
    expect(await run("run", "bulk", "cancel", ...many)).toMatchObject({ code: 2, error: expect.stringContaining("Add --yes") });
    const done = await run("run", "bulk", "cancel", ...many, "--yes", "-o", "json");
    expect([done.code, JSON.parse(done.out)]).toMatchObject([0, { action: "cancel", status: "completed", total: 2, done: 2, left: 0 }]);
    const again = await run("run", "bulk", "cancel", ...many, "--yes", "-o", "name");
    expect(again.code).toBe(1);
    expect((await run("run", "bulk", "get", again.out.trim(), "--failed")).out).toMatch(/OUTCOME[\s\S]* failed /);
    expect((await run("run", "bulk", "list", "-o", "name")).out.trim().split("\n")).toEqual([again.out.trim(), JSON.parse(done.out).id]);
    expect(await run("run", "bulk", "rerun", "--label", "kind=none", "--yes")).toMatchObject({
      code: 4,
      error: "millrace: No run matches, so nothing was done. Check with: millrace run list\n",
    });
  });

  test("a failed run is commented on, acknowledged, found by a view, and its logs are searched", async () => {
    const id = (await run("workflow", "submit", "fails", "--wait", "-o", "name")).out.trim();
    expect((await run("run", "comment", id, "The disk was full")).code).toBe(0);
    expect((await run("run", "comments", id)).out).toMatch(/first administrator +The disk was full/);
    expect((await run("run", "logs", id, "--search", "before")).out).toBe("work:1 │ before\n");
    await service.api("POST", "/team/getting-started/workflowrun/view", {
      ...{ name: "Failed today", scope: "team", filter: { workflows: ["fails"], statuses: ["failed"], since: "24h" } },
    });
    expect((await run("run", "views", "-o", "name")).out).toBe("Failed today\n");
    const shown = async () => (await run("run", "list", "--view", "failed today", "--unacknowledged", "-o", "name")).out;
    expect(await shown()).toContain(id);
    expect((await run("run", "acknowledge", id, "--comment", "Looking at it")).out).toBe(`Acknowledged: ${id}\n`);
    expect(await shown()).not.toContain(id);
    expect((await run("run", "acknowledge", id, "--undo")).code).toBe(0);
    expect(await shown()).toContain(id);
    expect(await run("run", "list", "--view", "none")).toMatchObject({
      code: 4,
      error: expect.stringContaining("There are: Failed today"),
    });
  });

  test("a workflow is archived and restored", async () => {
    await service.api("PUT", "/team/getting-started/workflow", workflowOf("put-away", "true"));
    const names = async () => (await run("list", "workflows", "-o", "name")).out;
    expect((await run("workflow", "archive", "put-away")).out).toBe("Archived workflow put-away\n");
    expect(await names()).not.toContain("put-away");
    expect((await run("workflow", "restore", "put-away")).out).toBe("Restored workflow put-away\n");
    expect(await names()).toContain("put-away");
    expect((await run("delete", "workflow", "put-away", "--yes")).code).toBe(0);
  });

  test("a workflow is protected, its proposals are listed, and the protection is turned off", async () => {
    await service.api("PUT", "/team/getting-started/workflow", workflowOf("guarded", "true"));
    const email = "approver@example.com";
    await service.api("PATCH", "/team/getting-started", { members: [{ email, role: "owner" }] });
    await service.api("PATCH", "/team/getting-started", { approverGroups: [{ name: "managers", approvers: [email] }] });
    expect(await run("workflow", "protect", "guarded", "--group", "nobody")).toMatchObject({ code: 2 });
    expect(await run("workflow", "protect", "guarded", "--group", "managers", "--approvals", "2")).toMatchObject({ code: 2 });
    expect((await run("workflow", "protect", "guarded", "--group", "managers")).out).toBe(
      "New versions of workflow guarded need one approval of managers\n",
    );
    await service.api("PUT", "/team/getting-started/workflow", workflowOf("guarded", "echo changed")).catch(() => undefined);
    const proposals = JSON.parse((await run("workflow", "proposals", "guarded", "-o", "json")).out);
    expect(proposals).toMatchObject([{ version: 2, status: "submitted" }]);
    expect((await run("workflow", "proposals", "guarded")).out).toContain(proposals[0].actionRef);
    expect((await run("workflow", "unprotect", "guarded")).out).toBe("Workflow guarded is not protected\n");
    expect((await run("delete", "workflow", "guarded", "--yes")).code).toBe(0);
  });
});

describe("protection of a team", () => {
  test("a secret is protected, its uses are listed, and the protection is turned off; the same for all workflows", async () => {
    const email = "guardian@example.com";
    await service.api("PATCH", "/team/getting-started", { members: [{ email, role: "owner" }] });
    await service.api("PATCH", "/team/getting-started", {
      approverGroups: [{ name: "guardians", approvers: [email] }],
      parameters: [{ name: "guarded-key", type: "password", value: "correct horse" }],
    });
    await service.api("PUT", "/team/getting-started/workflow", workflowOf("keyed", "echo $(team.params.guarded-key)"));
    expect((await run("secret", "uses", "guarded-key")).out).toMatch(/keyed +1 +yes/);
    expect(await run("secret", "protect", "nothing", "--group", "guardians")).toMatchObject({ code: 4 });
    expect((await run("secret", "protect", "guarded-key", "--group", "guardians")).out).toBe(
      "Versions that use secret guarded-key need one approval of guardians\n" +
        "Runs of these workflows are refused until they are saved and approved: keyed\n",
    );
    expect(await run("workflow", "submit", "keyed")).toMatchObject({ error: expect.stringContaining("protected secret guarded-key") });
    expect((await run("secret", "uses", "guarded-key")).out).toMatch(/keyed +1 +no/);
    expect((await run("secret", "unprotect", "guarded-key")).out).toBe("Secret guarded-key is not protected\n");
    expect((await run("team", "protect", "--group", "guardians")).out).toContain("need one approval of guardians");
    expect((await run("team", "unprotect")).out).toContain("now have only their own protection");
    expect((await run("delete", "workflow", "keyed", "--yes")).code).toBe(0);
  });

  test("a secret of the instance is protected for the group of that name in each team", async () => {
    await service.api("POST", "/parameters", { name: "guarded-login", type: "password", value: "correct horse" });
    await service.api("PUT", "/team/getting-started/workflow", workflowOf("logged-in", "echo $(global.params.guarded-login)"));
    expect((await run("secret", "uses", "guarded-login", "--global")).out).toMatch(/getting-started +logged-in +1 +yes/);
    expect((await run("secret", "protect", "guarded-login", "--global", "--group", "logins")).out).toBe(
      "Versions that use secret guarded-login need one approval of logins\n" +
        "Runs of these workflows are refused until they are saved and approved: getting-started/logged-in\n",
    );
    expect((await run("workflow", "submit", "logged-in")).error).toContain("protected secret guarded-login");
    expect((await run("secret", "unprotect", "guarded-login", "--global")).out).toBe("Secret guarded-login is not protected\n");
    expect((await run("delete", "workflow", "logged-in", "--yes")).code).toBe(0);
  });
});

describe("things of each kind", () => {
  test("all kinds are listed", async () => {
    const kinds = ["workflows", "tasks", "templates", "schedules", "parameters", "subscriptions", "teams", "users", "tokens"];
    const lists = await Promise.all(kinds.map((kind) => run("list", kind, "-o", "json")));
    expect(lists.map(({ code }) => code)).toEqual(kinds.map(() => 0));
    const ofGlobal = JSON.parse((await run("list", "tasks", "--global", "--search", "http basic", "-o", "json")).out);
    expect(ofGlobal).toMatchObject([{ name: "execute-basic-http-call" }]);
    expect([...lists.map(({ out }) => JSON.parse(out)), ofGlobal].every(Array.isArray)).toBe(true);
  });

  test("a document can be read, explained, exported and deleted", async () => {
    await service.api("PUT", "/team/getting-started/workflow", { ...workflowOf("short-lived", "true"), description: "Not\u202efor long" });
    expect((await run("get", "workflow", "short-lived")).out).toMatch(/^name: short-lived$/m);
    expect((await run("describe", "workflow", "short-lived")).out).toMatch(/^Tasks\nNAME +TYPE/m);
    const exported = (await run("export", "workflow", "short-lived")).out;
    expect(exported).toMatch(/^apiVersion: millrace.dev\/v1\nkind: Workflow\nname: short-lived\n/);
    expect(exported).not.toMatch(/^(id|version|creationDate):/m);
    expect(await run("delete", "workflow", "short-lived", "--yes")).toMatchObject({ code: 0, out: "Deleted workflow short-lived\n" });
    expect((await run("get", "workflow", "short-lived")).code).toBe(4);
    expect((await run("export")).out).toMatch(/^kind: Workflow$/m);
  });

  test("a token is created for use in a script, and revoked by its name", async () => {
    const created = await run("token", "create", "ci", "--type", "team", "--permission", "workflow/read", "--expires", "1d");
    expect(created).toMatchObject({ code: 0, error: "" });
    const env = { ...ci, MILLRACE_TOKEN: created.out.trim() };
    expect((await cli.run(["list", "workflows"], { env })).code).toBe(0);
    expect((await cli.run(["workflow", "submit", "slow"], { env })).code).toBe(3);
    expect((await run("token", "delete", "ci", "--yes")).code).toBe(0);
    expect((await cli.run(["list", "workflows"], { env })).code).toBe(3);
  });

  test("a person is invited by a link on standard output, and a wrong address is refused", async () => {
    const invited = await run("invite", "bob@example.com", "--role", "reader", "--no-mail");
    expect(invited).toMatchObject({ code: 0, out: expect.stringMatching(/^http:\S+\/sign-in\/invitation#mri_\w{39}\n$/) });
    expect((await run("invite", "bob")).error).toContain("it must be an email address");
  });
});

describe("writing", () => {
  test("a task is created from a template, checked and tried from a file without being saved", async () => {
    expect((await run("task", "init", "greet-them")).code).toBe(0);
    expect(await run("task", "init", "greet-them")).toMatchObject({ code: 5, error: expect.stringContaining("--file FILE") });
    expect(await run("task", "validate", "greet-them.yaml")).toMatchObject({ code: 0, out: "greet-them.yaml is valid\n" });
    const tried = await run("task", "try", "--file", "greet-them.yaml", "--param", "name=Ann", "--watch");
    expect(tried).toMatchObject({ code: 0, out: expect.stringMatching(/│ Hello, Ann!$/m) });
    expect((await run("get", "task", "greet-them")).code).toBe(4);
    writeFileSync(join(cli.folder, "wrong.yaml"), readFileSync(join(cli.folder, "greet-them.yaml"), "utf8").replace("steps:", "stps:"));
    const checked = await run("task", "validate", "wrong.yaml", "greet-them.yaml", "missing.yaml");
    expect(checked).toMatchObject({ code: 4, out: "greet-them.yaml is valid\n" });
    expect(checked.error).toMatch(
      /^millrace: wrong.yaml: .*\n(.*\n)*millrace: missing.yaml: missing.yaml can't be read: there is no such file\n$/,
    );
  });

  test("a workflow is tried from its file or by its name, with pinned tasks, and nothing of it is saved", async () => {
    const tasks =
      "tasks:\n  - name: look\n    taskRef: execute-shell\n    results: [{ name: text }]\n  - name: keep\n    taskRef: set-result-parameter\n    dependencies: [{ taskRef: look }]\n";
    const params =
      "    params:\n      - { name: output, value: said }\n      - { name: value, value: $(tasks.look.results.text) $(params.who) }\n";
    const head = "apiVersion: millrace.dev/v1\nkind: Workflow\nname: tried\nparams:\n  - { name: who, type: text }\n";
    writeFileSync(join(cli.folder, "tried.yaml"), head + tasks + params);
    writeFileSync(join(cli.folder, "pins.yaml"), "look:\n  text: Hello\n");
    const tried = await run("try", "tried.yaml", "--only", "keep", "--pin", "pins.yaml", "--param", "who=Ann", "--wait", "-o", "json");
    expect(tried).toMatchObject({ code: 0, error: "" });
    expect(JSON.parse(tried.out)).toMatchObject({
      results: [{ name: "said", value: "Hello Ann" }],
      trial: { workflow: "tried", only: "keep" },
    });
    expect((await run("get", "workflow", "tried")).code).toBe(4);
    const again = await run("try", "tried.yaml", "--only", "keep", "--from-run", JSON.parse(tried.out).id, "--wait", "-o", "json");
    expect(JSON.parse(again.out).results).toEqual([{ name: "said", value: "Hello Ann" }]);
    const missing = await run("try", "tried.yaml", "--only", "keep");
    expect(missing).toMatchObject({ code: 2, error: expect.stringContaining("pin its results") });
    expect(await run("try", "nothing-like-it")).toMatchObject({ code: 4 });
    expect(await run("try", "missing.yaml")).toMatchObject({ code: 4, error: expect.stringContaining("there is no such file") });
  });

  test("tests of a workflow are run from files, with a draft, and the exit code says how they ended", async () => {
    const workflow =
      "kind: Workflow\nname: tested\ntasks:\n  - name: look\n    taskRef: execute-shell\n    params: [{ name: script, value: echo }]\n    results: [{ name: text }]\n---\n";
    const document = (status: string) =>
      `kind: WorkflowTest\nworkflow: tested\nname: looks\nmocks: { look: { results: { text: Hi } } }\nexpect: { status: ${status} }\n`;
    writeFileSync(join(cli.folder, "good.yaml"), workflow + document("succeeded"));
    writeFileSync(join(cli.folder, "bad.yaml"), workflow + document("failed"));
    expect(await run("test", "good.yaml", "--junit", "junit.xml")).toMatchObject({
      error: "",
      code: 0,
      out: expect.stringContaining("✓ looks"),
    });
    expect(readFileSync(join(cli.folder, "junit.xml"), "utf8")).toContain('<testcase classname="tested" name="looks"/>');
    expect(await run("test", "bad.yaml")).toMatchObject({ code: 1, out: expect.stringContaining('+ actual   "succeeded"') });
    expect(await run("test")).toMatchObject({ code: 2 });
    expect(await run("test", "no-such-workflow")).toMatchObject({ code: 4 });
  });

  test("the next times of an expression are shown in its time zone", async () => {
    const next = await run("schedule", "next", "--cron", "0 9 * * *", "--timezone", "Asia/Tokyo", "--count", "2");
    expect(next.out).toMatch(/^TIME +ASIA\/TOKYO\n(\S+T00:00:00Z +.* 09:00:00 .*\n){2}$/);
    expect(await run("schedule", "next", "--cron", "61 * * * *")).toMatchObject({ code: 2, error: expect.stringContaining("61") });
    expect((await run("schedule", "next")).code).toBe(2);
  });

  test("shows where time is spent, and what schedules will start", async () => {
    expect(await run("insights", "times", "--days", "1")).toMatchObject({ code: 0, out: expect.stringMatching(/^WORKFLOW +TASK RUNS/) });
    const forecast = await run("insights", "forecast", "--hours", "3");
    expect(forecast).toMatchObject({ code: 0, out: expect.stringMatching(/^HOUR +RUNS/), error: "" });
    expect(forecast.out.trim().split("\n")).toHaveLength(4);
    expect(await run("insights", "forecast", "--hours", "9000")).toMatchObject({ code: 2, error: expect.stringContaining("168") });
  });
});

describe("applying files", () => {
  const files = join("files", "flows");
  const write = (name: string, text: string) => writeFileSync(join(cli.folder, files, name), text);
  const workflow =
    "kind: Workflow\nname: applied\nlabels: { from: files }\ntasks:\n  - { name: only, taskRef: execute-shell, params: [{ name: script, value: echo %s }] }\n";
  const schedule =
    "# A comment\n---\nkind: Schedule\nname: at night\nworkflowRef: applied\nlabels: { from: files }\ncronSchedule: 0 1 * * *\ntimezone: UTC\nstatus: inactive\n";

  test("a folder is compared, applied, found unchanged, and pruned by its label", async () => {
    mkdirSync(join(cli.folder, files), { recursive: true });
    write("workflow.yaml", workflow.replace("%s", "one"));
    write("schedule.yaml", schedule);
    expect(await run("diff", "-f", "files")).toMatchObject({ code: 1, out: expect.stringContaining("+name: applied\n") });
    expect((await run("get", "workflow", "applied")).code).toBe(4);
    const applied = await run("apply", "-f", "files");
    expect(applied).toMatchObject({ code: 0, out: "created    Schedule at night of applied\ncreated    Workflow applied (version 1)\n" });
    expect(await run("diff", "-f", "files")).toEqual({ code: 0, out: "", error: "" });
    expect((await run("apply", "-f", "files")).out).toMatch(/^(unchanged .*\n){2}$/);

    write("workflow.yaml", workflow.replace("%s", "two"));
    expect((await run("diff", "-f", files)).out).toMatch(/^- +value: echo one$|^\+ +value: echo two$/m);
    expect((await run("apply", "-f", files, "-o", "name")).out).toBe("Schedule/at night\nWorkflow/applied\n");

    rmSync(join(cli.folder, files, "schedule.yaml"));
    const asked = await run("apply", "-f", files, "--prune", "from=files");
    expect(asked).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringMatching(/^deleted +Schedule at night of applied\nmillrace: .*--yes\n$/),
    });
    const pruned = await run("apply", "-f", files, "--prune", "from=files", "--yes", "-o", "json");
    expect(JSON.parse(pruned.out).documents).toMatchObject([{ action: "unchanged" }, { kind: "Schedule", action: "deleted" }]);
  });

  test("problems name the file and the line, all of them, and nothing is changed", async () => {
    write("wrong.yaml", "kind: Workflow\nname: first\ntasks: 5\n---\nkind: Nothing\nname: second\n");
    const refused = await run("apply", "-f", files);
    expect(refused).toMatchObject({ code: 2, out: "", error: expect.stringMatching(/^millrace: Nothing was changed: 2 problems\n/) });
    expect(refused.error).toMatch(/^ {2}files\/flows\/wrong.yaml:3: Workflow first: /m);
    expect(refused.error).toMatch(/^ {2}files\/flows\/wrong.yaml:5: Nothing.*: /m);
    expect((await run("diff", "-f", files)).code).toBe(2);
    expect((await run("get", "workflow", "first")).code).toBe(4);
  });

  test("an exported document can be applied unchanged and changes nothing, including secrets", async () => {
    const everyKind = `kind: Parameter
name: export-secret
type: password
value: hidden-value-of-the-test
---
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: exported-task }
spec: { steps: [{ name: only, script: echo }] } # kept
---
kind: Subscription
name: exported-subscription
channel: webhook
target: { url: "https://example.com/hook" }
---
kind: Schedule
name: exported schedule
workflowRef: hello-chain
cronSchedule: 0 1 * * *
timezone: UTC
params: [{ name: name, value: Ann }]
`;
    const applied = await cli.run(["apply", "-f", "-"], { env: ci, input: everyKind });
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("secret, which is shown only now: ") });
    const exported = await run("export");
    expect(exported).toMatchObject({ code: 0, error: "", out: expect.stringContaining("exported-subscription") });
    expect(exported.out).toContain("# kept");
    expect(exported.out).not.toContain("hidden-value-of-the-test");
    expect(await cli.run(["diff", "-f", "-"], { env: ci, input: exported.out })).toEqual({ code: 0, out: "", error: "" });
  });
});

describe("completion", () => {
  const complete = (line: string) => {
    const script = `source <(millrace completion bash); COMP_WORDS=(millrace ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _millrace; printf '%s\n' "\${COMPREPLY[@]}"`;
    const env = { ...ci, HOME: cli.folder, PATH: `${cli.bin}:${process.env.PATH}` };
    return execFileSync("bash", ["-c", script], { env, encoding: "utf8" }).trim().split("\n");
  };

  test("bash completes commands, options, kinds, and names that the service has", () => {
    expect(complete("work")).toEqual(["workflow"]);
    expect(complete("run list --wor")).toEqual(["--workflow"]);
    expect(complete("get wor")).toEqual(["workflow"]);
    expect(complete("workflow submit hello")).toEqual(["hello-chain"]);
    expect(complete("--url http://127.0.0.1:1 workflow submit hello")).toEqual([""]);
  });

  test.each(["bash", "zsh", "fish"])("the script for %s is well-formed", async (shell) => {
    const { code, out } = await cli.run(["completion", shell]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("millrace __complete") });
    if (spawnSync(shell, ["--version"]).error !== undefined) return;
    expect(spawnSync(shell, ["-n"], { input: out, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});

test("the example of docs/client.md does what it says", () => {
  const page = readFileSync(new URL("../../../docs/client.md", import.meta.url), "utf8");
  const [, example] = /^```ts\n([\s\S]*?)^```$/m.exec(page)!;
  const client = new URL("../../client/src/client.ts", import.meta.url).pathname;
  const file = join(cli.folder, "example.ts");
  writeFileSync(file, example!.replace("millrace/client", client));
  const bundled = execFileSync(join(process.cwd(), "node_modules/.bin/esbuild"), [file, "--bundle", "--format=esm", "--platform=node"]);
  writeFileSync(join(cli.folder, "example.mjs"), bundled);
  const out = execFileSync(process.execPath, [join(cli.folder, "example.mjs")], { env: { ...process.env, ...ci }, encoding: "utf8" });
  expect(out).toMatch(/^succeeded\n(.*\n)*greet: Hello, world!\n(.*\n)*WORKFLOW_INVALID_REFERENCE\n$/);
});
