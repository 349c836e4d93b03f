import { beforeAll, expect, test } from "vitest";
import { expectElapsed } from "../../kit/processor-ms.ts";
import { testInstance } from "../../kit/start/test-instance.ts";
import { until } from "../../kit/until.ts";

/**
 * One team fills the worker of a whole instance with scripts that never end; the test measures how long another team's trivial task waits.
 */
const token = "admin-token-of-the-shares";
const { instance, sql } = await testInstance({ MILLRACE_ADMIN_TOKEN: token, MILLRACE_PORT: "0", MILLRACE_WORKER_SLOTS: "4" });

beforeAll(async () => {
  for (const name of ["greedy", "modest"]) await call("POST", "/team", { name, displayName: name });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${instance.address}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Runs scripts side by side. @returns the id of the run */
async function start(team: string, name: string, scripts: readonly string[]): Promise<string> {
  const tasks = scripts.map((script, index) => ({
    ...{ name: `task-${index}`, type: "script", taskRef: "execute-shell" },
    params: [
      { name: "path", value: "." },
      { name: "script", value: script },
    ],
  }));
  await call("POST", `/team/${team}/workflow`, { name, tasks });
  return (await call("POST", `/team/${team}/workflow/${name}/submit?start=true`, {})).id;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const tasksOf = async (team: string, run: string): Promise<any[]> =>
  (await call("GET", `/team/${team}/workflowrun/${run}`)).tasks.filter(({ name }: { name: string }) => name.startsWith("task-"));

test("another team's trivial task starts within a second beside scripts that never end", async () => {
  const endless = await start(
    "greedy",
    "endless",
    Array.from({ length: 8 }, (_, index) => (index % 2 ? "sleep 1000" : "while :; do :; done")),
  );
  const running = async () => (await tasksOf("greedy", endless)).filter(({ status }) => status === "running");
  await until(async () => (await running()).length >= 3, "the greedy team to have its share");
  for (let round = 0; round < 3; round++) {
    const run = await start("modest", `trivial-${round}`, ["true"]);
    await until(async () => (await call("GET", `/team/modest/workflowrun/${run}`)).phase === "completed", "the end of the trivial run");
    const [row] = await sql<{ waitedMs: number }[]>`
      select (extract(epoch from t.started_at - t.ready_at) * 1000)::float as "waitedMs" from task_run t where t.run_id = ${run} and t.name = 'task-0'`;
    expectElapsed(row!.waitedMs, 1_000);
  }
  expect(await running()).toHaveLength(3);
  const waiting = (await tasksOf("greedy", endless)).find(({ status }) => status === "ready");
  expect(waiting.waitingFor).toContain(
    'the team has 3 of the 4 slots of the worker with the executor "process", and the last one is reserved for other teams',
  );
  await call("DELETE", `/team/greedy/workflowrun/${endless}/cancel`);
});
