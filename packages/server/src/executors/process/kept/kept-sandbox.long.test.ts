import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import type { Job } from "../../../engine/executor.ts";
import { type Finished, makeJob, run, startUntil } from "../../exercise/scenario.ts";
import { createProcessExecutor, type ProcessExecutor } from "../process-executor.ts";
import { descendants, readFreshTable } from "../process-table.ts";
import { type LevelName, levelNames } from "../settings.ts";
import type { KeptLimits } from "./kept-limits.ts";

/**
 * What a job leaves to the next one in a kept sandbox, and what not. Every script counts its jobs: a fresh sandbox prints 1. Hostile
 * scripts can only reach later jobs of the same script: the key ensures that a sandbox serves no other team and no other script.
 */
const silent = { info: () => undefined, warn: () => undefined };
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function openExecutor(kept: Partial<KeptLimits> = {}, levels?: LevelName[]): Promise<ProcessExecutor> {
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-kept-"));
  folders.push(scratchDir);
  await chmod(scratchDir, 0o711);
  return createProcessExecutor({
    scratchDir,
    allowUnsandboxed: true,
    allowSharedNetwork: true,
    graceMs: 300,
    log: silent,
    scratchBytes: 30_000_000,
    kept,
    ...(levels && { levels }),
  });
}

const shared = await openExecutor();
afterAll(() => shared.close());
const keepsHere = !["none", "own-uid", "bubblewrap-shared-network"].includes(shared.describe().isolation);
const keep = { definition: "task-1", withSecrets: false };

/** The body of a function that counts its jobs in `n`. */
function counting(body: string, before = ""): string {
  return `${before}\nlet n = 0;\nexport default async (params, context) => { n++; ${body}; return { n }; };`;
}

async function call(script: string, more: Partial<Job> = {}, executor = shared): Promise<Finished & { n: unknown }> {
  return withCount(await run({ executor } as never, makeJob([{ name: "f", script, language: "javascript" }], { keep, ...more })));
}

function withCount(finished: Finished): Finished & { n: unknown } {
  return { ...finished, n: finished.outcome.results.find(({ name }) => name === "n")?.value };
}

/** The results of so many calls one after the other. */
async function counts(script: string, times: number, more: Partial<Job> = {}, executor = shared): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let time = 0; time < times; time++) found.push((await call(script, more, executor)).n);
  return found;
}

describe.skipIf(!keepsHere)("a kept sandbox", () => {
  test("serves one job after the other, each with its own parameters, variables, files and log", async () => {
    const script = counting(
      'console.log(params.word, process.env.PARAM_WORD, process.env.MILLRACE_TASK_RUN, process.env.PARAM_ONLY ?? "none", fs.readFileSync(process.env.PARAMS_PATH + "/word", "utf8"), fs.readdirSync(process.env.PARAMS_PATH).length)',
      'import fs from "node:fs";',
    );
    const params = (word: string, only?: string) => [{ name: "word", value: word }, ...(only ? [{ name: "only", value: only }] : [])];
    const first = await call(script, { taskRunId: "run-a", params: params("one", "x") });
    const second = await call(script, { taskRunId: "run-b", attempt: 2, params: params("two") });
    expect([first.n, second.n]).toEqual(["1", "2"]);
    expect(first.texts()).toEqual(["one one run-a.1 x one 2"]);
    expect(second.texts()).toEqual(["two two run-b.2 none two 1"]);
  });

  test("keeps the state of the script: its variables, changed built-in objects, open files, files in /dev/shm, timers", async () => {
    const script = counting(
      `if (n === 1) {
        globalThis.seen = "global"; Array.prototype.mine = "changed"; fs.writeFileSync("/dev/shm/note", "shared");
        globalThis.open = fs.openSync("open-file", "w+"); fs.writeSync(globalThis.open, "held"); globalThis.beats = 0; setInterval(() => globalThis.beats++, 1);
      } else {
        const beats = globalThis.beats; while (globalThis.beats === beats) await new Promise((done) => { setTimeout(done, 2); });
        const held = Buffer.alloc(4); fs.readSync(globalThis.open, held, 0, 4, 0);
        console.log(globalThis.seen, [].mine, String(held), fs.readFileSync("/dev/shm/note", "utf8"));
      }`,
      'import fs from "node:fs";',
    );
    await call(script);
    const second = await call(script);
    expect(second.texts()).toEqual(["global changed held shared"]);
    expect(second.n).toBe("2");
  });

  test("keeps no files of its folders, no results, no variables of the process and no current folder", async () => {
    const script = counting(
      `const { RESULTS_PATH, HOME, TMPDIR } = process.env; const places = [".", RESULTS_PATH, HOME, TMPDIR];
      console.log(process.cwd(), process.env.MINE ?? "unset", places.flatMap((place) => fs.readdirSync(place)).length);
      process.env.MINE = "set"; for (const place of places) { fs.mkdirSync(place + "/folder/in", { recursive: true }); fs.writeFileSync(place + "/file", "x"); }
      fs.mkdirSync(HOME + "/closed", { mode: 0 }); fs.symlinkSync("/etc", TMPDIR + "/link"); fs.chmodSync(TMPDIR, 0o500); process.chdir("/")`,
      'import fs from "node:fs";',
    );
    const found = [await call(script), await call(script), await call(script)];
    expect(found.map(({ n }) => n)).toEqual(["1", "2", "3"]);
    for (const { texts, outcome } of found) {
      expect(texts()).toEqual(["/task/work unset 0"]);
      expect(outcome.results).toEqual([
        { name: "file", value: "x" },
        { name: "n", value: expect.any(String) },
      ]);
    }
  });

  test("is only for its team, its version of the task, its script and its environment, network and limits", async () => {
    const script = counting("globalThis.leak = 1");
    expect(await counts(script, 2)).toEqual(["1", "2"]);
    const limits = makeJob("true").limits;
    const others: [string, Partial<Job>][] = [
      [script, { teamId: "team-2" }],
      [script, { keep: { ...keep, definition: "task-2" } }],
      [`${script} `, {}],
      [script, { network: "outbound" }],
      [script, { limits: { ...limits, memoryBytes: limits.memoryBytes / 2 } }],
      [script, { limits: { ...limits, processes: 100 } }],
      [script, { steps: [{ name: "f", script, language: "javascript", env: [{ name: "A", value: "1" }] }] }],
      [script, { steps: [{ name: "f", script, language: "javascript", workingDir: "inner" }] }],
    ];
    for (const [text, more] of others) expect((await call(text, more)).n, JSON.stringify(more)).toBe("1");
    expect((await call(script)).n).toBe("3");
  });

  test("is not for jobs with a secret or a workspace, unless the definition lets it have secrets", async () => {
    const script = counting("await 0");
    const secret = { params: [{ name: "key", value: { in: ["s3cr3t-value"] } }], secrets: ["s3cr3t-value"] };
    expect(await counts(script, 2, secret)).toEqual(["1", "1"]);
    expect(await counts(script, 2, { ...secret, keep: { ...keep, withSecrets: true } })).toEqual(["1", "2"]);
    // Its run has a secret, which this job is not given.
    expect(await counts(script, 2, { secrets: ["s3cr3t-value"] })).toEqual(["3", "4"]);
    const source = await mkdtemp(join(tmpdir(), "millrace-kept-"));
    folders.push(source);
    const workspaces: Job["workspaces"] = [
      { name: "w", scope: "workflow", ownerId: "w", source, mountPath: "/workspace/w", readOnly: false, sizeLimitBytes: 1_000_000 },
    ];
    expect(await counts(script, 2, { workspaces })).toEqual(["1", "1"]);
    expect(await counts(script, 2, { keep: undefined as never })).toEqual(["1", "1"]);
    expect(await counts(script, 2, { network: "host" })).toEqual(["1", "1"]);
  });

  test("masks the secrets of each job in its output", async () => {
    const script = counting("console.log(params.key)");
    const job = (key: string): Partial<Job> => ({
      params: [{ name: "key", value: key }],
      secrets: [key],
      keep: { ...keep, withSecrets: true },
    });
    expect((await call(script, job("first-secret"))).texts()).toEqual(["***"]);
    expect((await call(script, job("second-secret"))).texts()).toEqual(["***"]);
  });

  test("masks the secrets of earlier jobs, too", async () => {
    const script = counting("globalThis.known = [...(globalThis.known ?? []), params.key]; console.log(globalThis.known.join(' '))");
    const job = (key: string): Partial<Job> => ({
      params: [{ name: "key", value: key }],
      secrets: [key],
      keep: { ...keep, withSecrets: true },
    });
    await call(script, job("secret-of-before"));
    const { texts, n } = await call(script, job("secret-of-now"));
    expect(n).toBe("2");
    expect(texts()).toEqual(["*** ***"]);
  });

  test("writes a last line without a line end to the log of its own job", async () => {
    const script = counting('const piece = "x".repeat(999_999); for (let at = 0; at < 3; at++) process.stdout.write(piece)');
    const found = [await call(script), await call(script)];
    expect(found.map(({ n, texts }) => [n, texts().join("").length])).toEqual([
      ["1", 2_999_997],
      ["2", 2_999_997],
    ]);
  });

  test("of a script that changes global objects is not shared with other scripts or teams", async () => {
    const script = counting('Function.prototype.call = Promise.prototype.then = JSON.parse = () => { throw new Error("mine"); }');
    await call(script, { timeoutMs: 2_000 });
    await call(script, { timeoutMs: 2_000 });
    expect(await counts(counting("await 'other'"), 2)).toEqual(["1", "2"]);
    expect((await call(counting("await 0"), { teamId: "team-9" })).n).toBe("1");
  });

  test("serves one job at a time: two jobs at once use two sandboxes", async () => {
    const script = counting('console.log("ready"); await new Promise((done) => { setTimeout(done, 50); })');
    const both = await Promise.all([call(script), call(script)]);
    expect(both.map(({ n }) => n)).toEqual(["1", "1"]);
    expect((await call(script)).n).toBe("2");
  });

  test("runs nothing between two jobs", async () => {
    const script = counting(
      'const before = globalThis.ticks ?? 0; globalThis.ticks = before; if (n === 1) setInterval(() => globalThis.ticks++, 1); console.log("pid", process.pid)',
    );
    await call(script);
    await until(async () => (await statesOfRunners()).every((state) => state === "T"), "its processes are halted");
    expect((await statesOfRunners()).length).toBeGreaterThan(0);
    expect((await call(script)).n).toBe("2");
  });
});

/** Runners of functions that this process has started: other test files have their own. */
async function findRunners(): Promise<number[]> {
  const pids = descendants(await readFreshTable(), process.pid).map(({ pid }) => pid);
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return pids.filter((_, index) => /^\S*node\0\/run\/millrace\/task\/steps\/run-function\.mjs/.test(commands[index] ?? ""));
}

async function statesOfRunners(): Promise<string[]> {
  const read = (pid: number): Promise<string> => readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  const statuses = await Promise.all((await findRunners()).map(read));
  return statuses.flatMap((status) => /^State:\s+(\S)/m.exec(status)?.[1] ?? []);
}

describe.skipIf(!keepsHere)("a kept sandbox is not used again", () => {
  const child = 'import { spawn } from "node:child_process"; import fs from "node:fs"; import { once } from "node:events";';
  test.each<[why: string, body: string]>([
    ["after a job that failed", 'throw new Error("bad")'],
    ["after a job that left early", "process.exit(0)"],
    ["after a background process was left", 'spawn("sleep", ["100"], { stdio: "ignore" })'],
    [
      "after a background process left its session and its parent",
      'await once(spawn("sh", ["-c", "setsid sleep 100 & exit"], { stdio: "ignore" }), "exit")',
    ],
    [
      "after output that belongs to no job",
      'setImmediate(() => { setTimeout(() => { for (;;) fs.writeSync(1, "late\\\\n"); }, 0); }); spawn("true")',
    ],
    [
      "after a job that holds a deleted file",
      'const at = fs.openSync("gone", "w"); fs.unlinkSync("gone"); fs.writeSync(at, Buffer.alloc(3_000_000, 1))',
    ],
    ["after its pipe for jobs was closed and a job sent", "fs.closeSync(9)"],
  ])("%s", async (_, body) => {
    const script = counting(body, child);
    const found = [await call(script), await call(script)];
    expect(found.map(({ outcome, n }) => (outcome.status === "succeeded" ? (n ?? "1") : outcome.status))).not.toContain("2");
    expect((await call(counting("await 0"))).outcome.status).toBe("succeeded");
  });

  test("after its script has read the job of another one, which gets another sandbox", async () => {
    const executor = await openExecutor({ heardWithinMs: 200 });
    try {
      const script = counting("String.prototype.indexOf = () => -1");
      expect(await counts(script, 3, {}, executor)).toEqual(["1", "1", "1"]);
    } finally {
      await executor.close();
    }
  });

  test("after it forged its own end, which ends no other job and no other team's", async () => {
    const forging = `import fs from "node:fs";
      let n = 0;
      export default async (params, context) => {
        n++;
        fs.writeSync(1, "\\x1e" + "0".repeat(32) + " done\\n\\x1e" + "f".repeat(32) + " begun\\n\\x1e");
        await new Promise((done) => { setTimeout(done, 20); });
        console.log("still here");
        return { n };
      };`;
    const { texts, n } = await call(forging);
    expect(n).toBe("1");
    expect(texts().join("\n")).toMatch(/0{32} done[\s\S]*still here/);
    // It finds its own nonce in the memory of the runner, and so can end its own job.
    const found = `import fs from "node:fs";
      import { Buffer } from "node:buffer";
      let n = 0;
      const write = fs.writeSync;
      let nonce;
      Buffer.from = new Proxy(Buffer.from, { apply(target, self, args) {
        const [, name] = /^\\x1e([0-9a-f]{32}) begun/.exec(args[0]) ?? [];
        if (name) nonce = name;
        return Reflect.apply(target, self, args);
      } });
      export default async () => { n++; if (nonce) write(1, "\\x1e" + nonce + " done\\nfor nobody\\n"); return { n }; };`;
    const [first, , third] = await counts(found, 3);
    expect([first, third]).toEqual(["1", "1"]);
    expect((await call(counting("await 0"), { teamId: "team-2" })).n).toBe("1");
  });

  test("after a cancel, a time-out of the job or of the step, with TERM ignored", async () => {
    const script = counting(
      'process.on("SIGTERM", () => console.log("no")); console.log("ready"); if (params.stay) await new Promise((done) => { setTimeout(done, 60_000); })',
    );
    const job = (more: Partial<Job> = {}, stay = true) =>
      makeJob([{ name: "f", script, language: "javascript" }], { keep, params: stay ? [{ name: "stay", value: true }] : [], ...more });
    const bench = { executor: shared } as never;
    expect((await call(script)).n).toBe("1");
    const { handle, finished } = await startUntil(bench, job(), "ready");
    handle.stop("cancelled", 100);
    expect((await finished).outcome).toMatchObject({ status: "cancelled", reason: "Cancelled" });
    expect(await counts(script, 2)).toEqual(["1", "2"]);
    expect((await run(bench, job({ timeoutMs: 300 }))).outcome).toMatchObject({ status: "timedout", reason: "DeadlineExceeded" });
    expect(await counts(script, 2)).toEqual(["1", "2"]);
    const limited = job();
    limited.steps = [{ ...(limited.steps[0] as Job["steps"][0]), timeoutMs: 300 }];
    expect((await run(bench, limited)).outcome).toMatchObject({
      status: "timedout",
      message: expect.stringContaining('step "f" was stopped'),
    });
    expect(await counts(script, 1)).toEqual(["1"]);
  });

  test("after a job that reached a limit: memory, processes, disk", async () => {
    const script = counting(
      `if (params.what === "memory") { const kept = []; for (;;) kept.push(Buffer.alloc(10_000_000, 1)); }
      if (params.what === "processes") await once(spawn("sh", ["-c", "f() { f | f & }; f; wait"], { stdio: "ignore" }), "exit").then(() => Promise.reject(new Error("over")));
      if (params.what === "disk") for (let at = 0; ; at++) { fs.writeFileSync("file" + at, Buffer.alloc(1_000_000, 1)); await new Promise((done) => { setTimeout(done, 5); }); }`,
      child,
    );
    const limits = { ...makeJob("true").limits, memoryBytes: 268_435_456, processes: 40 };
    for (const [what, reason] of [
      ["memory", "OutOfMemory"],
      ["processes", undefined],
      ["disk", "WorkspaceFull"],
    ] as const) {
      expect((await call(script, { limits })).n).toBe("1");
      const { outcome } = await call(script, { limits, params: [{ name: "what", value: what }], timeoutMs: 20_000 });
      expect(outcome.status).not.toBe("succeeded");
      if (reason && (what === "disk" || shared.describe().detail.includes("memory and processes are limited")))
        expect(outcome.reason).toBe(reason);
      expect((await call(script, { limits })).n).toBe("1");
      await call(script, { limits, params: [{ name: "what", value: "fail" }], timeoutMs: 20_000 });
      await shared.settle();
    }
  });

  test("when it has served enough jobs, is too old, has waited too long, or holds too much memory", async () => {
    let now = 0;
    const executor = await openExecutor({ jobs: 3, ageMs: 1_000, idleMs: 100, eachBytes: 150_000_000, clock: () => now });
    try {
      expect(await counts(counting("await 0"), 5, {}, executor)).toEqual(["1", "2", "3", "1", "2"]);
      now += 100;
      expect(await counts(counting("await 0"), 1, {}, executor)).toEqual(["1"]);
      const aging = counting("await 'aging'");
      const found: unknown[] = [];
      for (const step of [0, 90, 0]) {
        now += step;
        found.push(...(await counts(aging, 1, {}, executor)));
      }
      expect(found).toEqual(["1", "2", "3"]);
      const old = counting("await 'old'");
      await counts(old, 1, {}, executor);
      now += 1_000;
      expect(await counts(old, 1, {}, executor)).toEqual(["1"]);
      const leaking = counting("(globalThis.kept ??= []).push(Buffer.alloc(40_000_000, 1))");
      const leaked = (await counts(leaking, 3, {}, executor)).map(Number);
      expect(leaked).toContain(2);
      expect(Math.max(...leaked) < 3 || (await counts(leaking, 3, {}, executor)).includes("1")).toBe(true);
    } finally {
      await executor.close();
    }
  });
});

describe.skipIf(!keepsHere)("kept sandboxes", () => {
  test("are limited in number, and the team with the most of them gives one up", async () => {
    const executor = await openExecutor({ most: 2 });
    try {
      await shared.settle();
      const before = (await statesOfRunners()).length;
      const [one, two, three] = ["1", "2", "3"].map((name) => counting(`await ${name}`));
      const small = { teamId: "small" };
      await call(one as string, small, executor);
      await call(two as string, {}, executor);
      await call(three as string, {}, executor);
      await until(async () => (await statesOfRunners()).length === before + 2, "one was given up");
      expect(await counts(one as string, 1, small, executor)).toEqual(["2"]);
      expect(await counts(three as string, 1, {}, executor)).toEqual(["2"]);
      expect(await counts(two as string, 1, {}, executor)).toEqual(["1"]);
    } finally {
      await executor.close();
    }
  });

  test("that end while their folders are being emptied affect no other files", async () => {
    const executor = await openExecutor({ most: 1 });
    const script = (name: string): string =>
      counting(
        `const files = Array.from({ length: 60 }, (_, at) => process.env.HOME + "/" + at);
        if (fs.readdirSync(process.env.HOME).length > 0) throw new Error("not empty");
        for (const file of files) fs.writeFileSync(file, "${name}");
        await new Promise((done) => { setTimeout(done, 5); });
        if (files.some((file) => fs.readFileSync(file, "utf8") !== "${name}")) throw new Error("touched")`,
        'import fs from "node:fs";',
      );
    const teams = ["a", "b", "c", "d"];
    const ended = await Promise.all(
      teams.map(async (teamId) => {
        const statuses: string[] = [];
        for (let round = 0; round < 6; round++)
          statuses.push((await call(script(`${teamId}${round % 2}`), { teamId }, executor)).outcome.message);
        return statuses;
      }),
    );
    expect(ended.flat()).toEqual(Array(24).fill(""));
    await executor.close();
  });

  test("none is kept if that is not allowed, and the same jobs run", async () => {
    const executor = await openExecutor({ most: 0 });
    expect(await counts(counting("await 0"), 2, {}, executor)).toEqual(["1", "1"]);
    await executor.close();
  });

  test("end after their idle time and when the executor closes, and leave nothing", async () => {
    let now = 0;
    const executor = await openExecutor({ clock: () => now, lookEveryMs: 10 });
    const before = (await statesOfRunners()).length;
    await call(counting("await 'idle'"), {}, executor);
    expect((await statesOfRunners()).length).toBe(before + 1);
    now += 60_000;
    await until(async () => (await statesOfRunners()).length === before, "the one that waited has ended");
    await call(counting("await 'closing'"), {}, executor);
    await executor.close();
    expect((await statesOfRunners()).length).toBe(before);
    expect(await readdir(folders.at(-1) as string)).toEqual([]);
  });

  test("a job whose sandbox was killed while it was idle gets another one", async () => {
    const script = counting('console.log("pid", process.pid)');
    await shared.settle();
    await call(script);
    for (const pid of await findRunners()) process.kill(pid, "SIGKILL");
    expect((await call(script)).n).toBe("1");
  });

  test("on levels that don't keep sandboxes, every job gets a new one, with the same results", async () => {
    for (const level of levelNames.filter((name) => ["own-uid", "none"].includes(name))) {
      const executor = await openExecutor({}, [level]);
      if (executor.describe().available) expect(await counts(counting("await 0"), 2, {}, executor)).toEqual(["1", "1"]);
      await executor.close();
    }
  });

  test("each level that can keep one does", async () => {
    for (const level of ["bubblewrap", "bubblewrap-as-root", "bubblewrap-no-proc", "unshare"] as const) {
      const executor = await openExecutor({}, [level]);
      const { available } = executor.describe();
      if (available) expect(await counts(counting("await 0"), 3, {}, executor), level).toEqual(["1", "2", "3"]);
      if (available) expect(await counts(counting("await 0"), 2, { network: "outbound" }, executor), level).toEqual(["1", "2"]);
      await executor.close();
    }
  });
});
