import { expect, test } from "vitest";
import { params, runKit } from "../../../kit/run-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";

// Submissions of a team that arrive while another is in progress share its next statements. Each of them is still a separate run.
const { app, team } = await runKit();
app.context.startsQueuedRuns = true;
const admin = app.as();
const pure = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "$(params.a)" })));
const declared = [
  { name: "a", type: "string" },
  { name: "hidden", type: "password" },
];

async function teamOf(...names: string[]) {
  const made = await team();
  for (const name of names) await made.workflow(name, pure, { params: declared });
  const submit = (name: string, value: string, query = "?start=true") =>
    admin.post(`${made.path}/workflow/${name}/submit${query}`, {
      params: [
        { name: "a", value },
        { name: "hidden", value: `secret of ${value}` },
      ],
      labels: { of: value },
    });
  return { ...made, submit };
}

test.each(["?start=true", ""])("many at once are recorded by few statements, each with what it asked for (%j)", async (query) => {
  const made = await teamOf("pure", "other");
  const values = Array.from({ length: 40 }, (_, index) => `value ${index}`);
  const answers = await Promise.all(values.map((value, index) => made.submit(index % 4 === 0 ? "other" : "pure", value, query)));
  expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200));
  for (const [index, { body }] of answers.entries()) expect(body.labels.of).toBe(values[index]);
  const ids = answers.map(({ body }) => body.id);
  const [together] = await app.sql<{ runs: number; statements: number; tasks: number; audits: number; sealed: number }[]>`
    select count(*)::int as runs, count(distinct r.xmin::text)::int as statements, count(r.secrets)::int as sealed,
      (select count(*)::int from task_run t where t.team_id = ${made.id} and t.id > t.run_id) as tasks,
      (select count(*)::int from audit a where a.object_id = any(${ids}) and a.action = 'workflow/action') as audits
    from run r where r.team_id = ${made.id}`;
  expect(together).toMatchObject({ runs: 40, sealed: 40, tasks: 40 * 3, audits: 40 });
  expect(together!.statements).toBeLessThan(20);
  const runs = await Promise.all(ids.slice(0, 8).map((id) => made.run(id)));
  expect(runs.map(({ status, results }) => [status, results])).toEqual(
    values.slice(0, 8).map((value) => ["succeeded", [expect.objectContaining({ name: "a", value })]]),
  );
});

test("one of a workflow that was deleted meanwhile is refused, and the others are recorded", async () => {
  const made = await teamOf("kept", "gone");
  let submitted: ReturnType<typeof made.submit>[] = [];
  await app.sql.begin(async (tx) => {
    // The point where the submissions have read the workflow, but not its plan.
    await tx`lock table task_version in access exclusive mode`;
    submitted = ["kept", "kept", "gone", "kept"].map((name, index) => made.submit(name, `${index}`));
    await until(async () => (await countWaiting()) >= 2, "the submissions");
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${made.id} and name = 'gone'`;
  });
  const answers = await Promise.all(submitted);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
  expect(answers[2]!.body).toMatchObject({ reason: "WORKFLOW_INVALID_REFERENCE" });
});

test("of a large workflow each has ids for all of its tasks", async () => {
  const made = await team();
  const names = Array.from({ length: 900 }, (_, index) => `set-${index}`);
  await made.workflow(
    "large",
    workflow(...names.map((name) => node(name, "setwfproperty", ["start"], params({ output: "a", value: "1" })))),
  );
  const runs = await Promise.all(Array.from({ length: 6 }, () => made.submit("large")));
  const tasks = await app.sql<{ count: number }[]>`
    select count(*)::int as count from task_run where team_id = ${made.id} and run_id = any(${runs.map(({ id }) => id)}) group by run_id`;
  expect(tasks.map(({ count }) => count)).toEqual(runs.map(() => 902));
});

test("a submission after a response sees the state of the response", async () => {
  const made = await teamOf("pure");
  const busy = Array.from({ length: 20 }, (_, index) => made.submit("pure", `${index}`));
  expect((await admin.patch(made.path, { status: "inactive" })).status).toBe(200);
  expect((await made.submit("pure", "late")).body).toMatchObject({ reason: "WORKFLOW_TEAM_INACTIVE" });
  await Promise.all(busy);
});

test("those that begin with a place are recorded by few statements, and never more than there are places", async () => {
  const made = await team();
  await made.workflow("work", workflow(node("work", "script", ["start"], params({ script: "true" }))));
  const submitAll = () => Promise.all(Array.from({ length: 40 }, () => admin.post(`${made.path}/workflow/work/submit?start=true`, {})));
  const countStatements = async (ids: readonly string[]) => {
    const [row] = await app.sql<{ runs: number; statements: number }[]>`
      select count(*) filter (where r.activity = 'active')::int as runs, count(distinct r.xmin::text)::int as statements
      from run r where r.team_id = ${made.id} and r.id = any(${ids}::uuid[])`;
    return row;
  };
  const begun = await submitAll();
  expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 200));
  const first = await countStatements(begun.map(({ body }) => body.id));
  expect(first?.runs).toBe(40);
  expect(first?.statements).toBeLessThan(15);
  expect((await admin.patch(made.path, { quotas: { maxConcurrentRuns: 53 } })).status).toBe(200);
  const bounded = await submitAll();
  const refused = bounded.filter(({ status }) => status === 429);
  expect(refused.map(({ body }) => body.reason)).toEqual(Array(27).fill("QUOTA_EXCEEDED"));
  expect(await countStatements(bounded.filter(({ status }) => status === 200).map(({ body }) => body.id))).toMatchObject({ runs: 13 });
});

async function countWaiting(): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from pg_locks l
    where not l.granted and l.pid in (select pid from pg_stat_activity where datname = current_database())`;
  return row!.count;
}
