import { describe, expect, test } from "vitest";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { params, runKit, type TestTeam, taskOf } from "../../kit/run-kit.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** Where secrets come from, and every place where they must not appear: responses of the API and rows of the database. */
const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();

await makeTask(app.sql, { name: "shell", type: "script", script: "true", results: [{ name: "out" }] });
await makeTask(app.sql, { name: "child", type: "runworkflow" });
await makeTask(app.sql, { name: "set", type: "setwfproperty" });

/** All rows of all tables as text. */
async function everyRow(sql: Database): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

async function save(made: TestTeam, document: Record<string, unknown>): Promise<string> {
  const answer = await admin.post(`${made.path}/workflow`, document);
  expect(answer.text, JSON.stringify(document)).not.toContain("errors");
  return answer.text;
}

const settings = {
  executors: testExecutors(),
  workspacesDir: "/nowhere",
  limits: { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 },
};

/** What the executor would get for the ready task runs of a team. */
async function handOver(made: TestTeam) {
  const claims = (await claimTaskRuns(app.sql, worker, 100, ["process"], [])).filter(({ teamId }) => teamId === made.id);
  const prepared = await prepareJobs(app.sql, kit.context, settings, claims);
  return prepared.map(({ job }) => ({ name: job?.name, params: byName(job?.params ?? []), secrets: job?.secrets }));
}

function byName(list: readonly { name: string; value: unknown }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

describe("a value that is made of a secret", () => {
  test("is masked like the secret: a default that refers to one, of the workflow or of the team, given or not", async () => {
    const made = await team();
    await admin.patch(made.path, { parameters: [{ name: "teamtoken", type: "password", value: "secret-of-the-team" }] });
    await save(made, {
      name: "flow",
      params: [
        { name: "given", type: "password" },
        { name: "token", type: "password", default: "secret-of-the-workflow" },
        { name: "greeting", type: "text", default: "Hi $(params.given), $(params.token) and $(team.params.teamtoken)" },
      ],
      tasks: [{ name: "a", taskRef: "shell", ...params({ text: "$(params.greeting)!" }) }],
    });
    const run = await made.submit("flow", { params: [{ name: "given", value: "secret-of-the-request" }] });
    await kit.settle();

    const mask = "Hi ******, ****** and ******";
    expect(byName(run["params"] as never)).toEqual({ given: "******", token: "******", greeting: mask });
    expect(byName(taskOf(await made.run(run.id), "a").params)).toEqual({ text: `${mask}!` });
    const [job] = await handOver(made);
    expect(job?.params).toEqual({ text: "Hi secret-of-the-request, secret-of-the-workflow and secret-of-the-team!" });
    const queued = await made.submit("flow", { params: [{ name: "given", value: "secret-of-the-queue" }] }, "");
    await admin.put(`${made.path}/workflowrun/${queued.id}/start`, { params: [{ name: "given", value: "secret-of-the-start" }] });
    expect(JSON.stringify(await made.run(queued.id))).not.toMatch(/secret-of/);
    expect(await everyRow(app.sql)).not.toMatch(/secret-of-the/);
  });
});

describe("the default of a secret parameter of a task definition", () => {
  test.each([
    ["of the team", "task"],
    ["global", "globaltask"],
  ])("%s reaches the executor in clear, and everyone else as a mask", async (_, kind) => {
    const made = await team();
    const definition = {
      name: `deploy-${kind}`,
      type: "template",
      displayName: "Deploy",
      spec: { params: [{ name: "key", type: "password", default: "secret-of-the-task" }], script: "echo $PARAM_KEY" },
    };
    expect((await admin.post(kind === "task" ? `${made.path}/task` : "/api/v2/task", definition)).text).not.toMatch(/secret-of|mrsealed/);
    await save(made, { name: "flow", tasks: [{ name: "a", taskRef: definition.name }] });
    const { id } = await made.submit("flow");
    await kit.settle();

    expect(byName(taskOf(await made.run(id), "a").params)).toEqual({ key: "******" });
    const [job] = await handOver(made);
    expect(job?.params).toEqual({ key: "secret-of-the-task" });
    expect(job?.secrets).toContain("secret-of-the-task");
    expect(await everyRow(app.sql)).not.toMatch(/secret-of-the-task/);
    expect(JSON.stringify(await made.run(id))).not.toMatch(/mrsealed/);
  });
});

describe("a child run", () => {
  test("gets secrets in clear, current items and results, and treats values made of secrets as secrets", async () => {
    const made = await team();
    await save(made, {
      name: "inner",
      params: ["token", "item", "from"].map((name) => ({ name })),
      tasks: [{ name: "b", taskRef: "shell", ...params({ token: "$(params.token)", item: "$(params.item)", from: "$(params.from)" }) }],
    });
    await save(made, {
      name: "outer",
      params: [{ name: "token", type: "password", default: "secret-of-the-parent" }],
      tasks: [
        { name: "first", taskRef: "set", ...params({ output: "out", value: "made just now" }) },
        {
          name: "each",
          taskRef: "child",
          forEach: { items: ["one", "$(params.token)"] },
          ...params({
            workflowRef: "inner",
            wait: "true",
            token: "$(params.token)",
            item: "<$(params.item)>",
            from: "$(tasks.first.results.out)",
          }),
          dependencies: [{ taskRef: "first" }],
        },
      ],
    });
    const { id } = await made.submit("outer");
    await kit.settle();
    const parent = await made.run(id);
    expect(taskOf(parent, "each")).toMatchObject({ status: "waiting" });
    const children = (await admin.get(`${made.path}/workflowrun/query?workflows=inner`)).body.content;
    const given = (item: string) => ({ token: "******", item, from: "made just now" });
    expect(children.map((child: { params: never }) => byName(child.params))).toEqual([given("<one>"), given("******")]);

    expect((await handOver(made)).map((job) => job.params)).toEqual(
      expect.arrayContaining([
        { token: "secret-of-the-parent", item: "<one>", from: "made just now" },
        { token: "secret-of-the-parent", item: "<secret-of-the-parent>", from: "made just now" },
      ]),
    );
    expect(await everyRow(app.sql)).not.toMatch(/secret-of-the-parent/);
  });

  test("an invalid secret is reported without the secret", async () => {
    const made = await team();
    await save(made, { name: "inner", params: [{ name: "count", type: "number" }], tasks: [] });
    await save(made, {
      name: "outer",
      params: [{ name: "token", type: "password", default: "secret-of-no-number" }],
      tasks: [{ name: "go", taskRef: "child", ...params({ workflowRef: "inner", count: "$(params.token)" }) }],
    });
    const { id } = await made.submit("outer");
    const { status, statusMessage } = taskOf(await made.run(id), "go");
    expect(status).toBe("failed");
    expect(statusMessage).toContain('parameter "count" is a secret that does not match the type number');
    expect(await everyRow(app.sql)).not.toMatch(/secret-of-no-number/);
  });
});
