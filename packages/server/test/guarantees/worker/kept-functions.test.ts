import { isFinal, type Status } from "@millrace/contract/status.ts";
import { describe, expect, test } from "vitest";
import { randomName } from "../../kit/factories.ts";
import { testInstance } from "../../kit/start/test-instance.ts";
import { until } from "../../kit/until.ts";

/** Tasks whose script is a function, over the API and with the sandbox of this machine. Each counts the jobs that its sandbox has run. */
const token = "admin-token-of-the-functions";
const service = await testInstance({ MILLRACE_ADMIN_TOKEN: token, MILLRACE_PORT: "0", MILLRACE_WORKER_SLOTS: "4" });
const { address = "", executors } = service.instance;
const keepsHere = /\b(bubblewrap|bubblewrap-as-root|bubblewrap-no-proc|unshare)\b/.test(executors.join());
const teams = await Promise.all([makeTeam(), makeTeam()]);
const [team = "", otherTeam = ""] = teams;

const counting = (text: string): string =>
  `let n = 0;\nexport default (params) => { n++; console.log("${text}", params.word ?? ""); return { n, word: params.word ?? "none" }; };`;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${address}/api/v2${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}

async function makeTeam(): Promise<string> {
  const name = randomName("team").toLowerCase();
  expect((await send("POST", "/team", { name, displayName: name })).status).toBe(200);
  return name;
}

async function saveTask(path: string, script: string, more: Record<string, unknown> = {}): Promise<string> {
  const name = randomName("count").replaceAll("_", "-");
  const answer = await send("POST", path, definition(name, script, more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return name;
}

function definition(name: string, script: string, more: Record<string, unknown> = {}) {
  return {
    name,
    type: "script",
    annotations: { "millrace.dev/language": "javascript", "millrace.dev/keep-alive": "true", ...more },
    spec: { params: [{ name: "word", type: "string", default: "" }], results: [{ name: "n" }, { name: "word" }], script },
  };
}

interface TaskRun {
  id: string;
  name: string;
  status: Status;
  statusMessage?: string;
  results: { name: string; value: unknown }[];
}

/** This many uses of the task, one after the other, in one run. */
async function runChain(
  of: string,
  task: string,
  length: number,
  node: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Promise<TaskRun[]> {
  const name = randomName("chain").replaceAll("_", "-");
  const tasks = Array.from({ length }, (_, index) => ({
    name: `step-${index + 1}`,
    taskRef: task,
    params: [{ name: "word", value: `word-${index + 1}` }],
    dependencies: [index === 0 ? { taskRef: "start" } : { taskRef: `step-${index}`, executionCondition: "success" }],
    ...node,
  }));
  const saved = await send("POST", `/team/${of}/workflow`, { name, tasks, ...more });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const submitted = await send("POST", `/team/${of}/workflow/${name}/submit?start=true`, {});
  expect(submitted.status, JSON.stringify(submitted.body)).toBe(200);
  const path = `/team/${of}/workflowrun/${submitted.body["id"]}`;
  const all = await tasksOnceOver(path);
  return tasks.map(({ name: wanted }) => all.find((each) => each.name === wanted) as TaskRun);
}

/** Independent of the speed of the machine: only a run in which no task ends for a minute counts as hanging. */
async function tasksOnceOver(path: string): Promise<TaskRun[]> {
  let ended = 0;
  for (;;) {
    let [tasks, isOver]: [TaskRun[], boolean] = [[], false];
    await until(async () => {
      const { body } = await send("GET", path);
      tasks = (body["tasks"] ?? []) as TaskRun[];
      isOver = /completed|finalized/.test(String(body["phase"]));
      return isOver || countEnded(tasks) > ended;
    }, `more than ${ended} tasks of the run are over`);
    if (isOver) return tasks;
    ended = countEnded(tasks);
  }
}

const countEnded = (tasks: readonly TaskRun[]): number => tasks.filter(({ status }) => isFinal(status)).length;

function result(run: TaskRun | undefined, name: string): unknown {
  return run?.results.find((each) => each.name === name)?.value;
}

/** If a result is missing, the reason instead. */
const counts = (runs: readonly TaskRun[]): unknown[] => runs.map((run) => result(run, "n") ?? `${run.status}: ${run.statusMessage}`);
const numbers = (from: number, length: number): string[] => Array.from({ length }, (_, index) => String(from + index));

describe.skipIf(!keepsHere)("a task whose script is a function", () => {
  test("runs forty times in a chain in one sandbox, each with its own parameters, results and log", { timeout: 600_000 }, async () => {
    const task = await saveTask(`/team/${team}/task`, counting("hello"));
    const runs = await runChain(team, task, 40);
    expect(runs.map(({ status, statusMessage }) => [status, statusMessage ?? ""].join(" ").trim())).toEqual(Array(40).fill("succeeded"));
    expect(counts(runs)).toEqual(numbers(1, 40));
    expect(runs.map((run) => result(run, "word"))).toEqual(numbers(1, 40).map((index) => `word-${index}`));
    const logs = await Promise.all(runs.map(({ id }) => send("GET", `/taskrun/${id}/log`)));
    expect(logs.map(({ body }) => String(body["text"]).trim())).toEqual(
      numbers(1, 40).map((index) => expect.stringContaining(`hello word-${index}`)),
    );
    // The next run of the same version continues to use it, and a node can opt out.
    expect(counts(await runChain(team, task, 2))).toEqual(numbers(41, 2));
    expect(counts(await runChain(team, task, 2, { annotations: { "millrace.dev/keep-alive": "false" } }))).toEqual(["1", "1"]);
  });

  test("has another sandbox for another team, although task and script are the same, and for a new version", async () => {
    const task = await saveTask("/task", counting("global"));
    expect(counts(await runChain(team, task, 2))).toEqual(["1", "2"]);
    expect(counts(await runChain(otherTeam, task, 2))).toEqual(["1", "2"]);
    expect(counts(await runChain(team, task, 1))).toEqual(["3"]);
    const replaced = await send("PUT", `/task/${task}`, definition(task, counting("global")));
    expect(replaced.status, JSON.stringify(replaced.body)).toBe(200);
    expect(counts(await runChain(team, task, 1))).toEqual(["1"]);
  });

  test("has a fresh one when it is given a secret, unless its definition says otherwise", async () => {
    const config = [{ name: "key", label: "Key", type: "password", value: "a-secret-of-the-workflow" }];
    const given = { params: [{ name: "word", value: "$(params.key)" }] };
    const careful = await saveTask(`/team/${team}/task`, counting("careful"));
    const runs = await runChain(team, careful, 2, given, { params: config });
    expect(counts(runs)).toEqual(["1", "1"]);
    expect(runs.map((run) => result(run, "word"))).toEqual(["***", "***"]);
    // The workflow has a secret that is not passed to the task.
    expect(counts(await runChain(team, careful, 2, {}, { params: config }))).toEqual(["1", "2"]);
    const trusting = await saveTask(`/team/${team}/task`, counting("trusting"), { "millrace.dev/keep-alive": "with-secrets" });
    expect(counts(await runChain(team, trusting, 2, given, { params: config }))).toEqual(["1", "2"]);
  });
});

describe("what can't be a function is refused when it is saved", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ "millrace.dev/language": "ruby" }, 'is "ruby"; it must be one of javascript, typescript, python'],
    [{ "millrace.dev/keep-alive": "always" }, 'is "always"; it must be one of false, true, with-secrets'],
    [{ "millrace.dev/language": null }, "needs millrace.dev/language beside it"],
  ])("a task with %j", async (annotations, message) => {
    const answer = await send("POST", `/team/${team}/task`, definition("refused", "x", annotations));
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify(message).slice(1, -1));
  });

  test("a node that names a language, or allows what its task does not", async () => {
    for (const [name, value] of [
      ["language", "python"],
      ["keep-alive", "with-secrets"],
    ]) {
      const tasks = [
        { name: "a", taskRef: "execute-shell", params: [{ name: "script", value: ":" }], annotations: { [`millrace.dev/${name}`]: value } },
      ];
      const answer = await send("POST", `/team/${team}/workflow`, { name: "refused", tasks });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(`millrace.dev~1${name}`);
    }
  });
});
