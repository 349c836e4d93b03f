import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();

/** A run with that many items; the one with this number has failed, and the others of `ended` have succeeded. */
async function runWithItems(count: number, { failed = -1, ended = 0 } = {}) {
  const made = await team();
  const forEach = { items: Array.from({ length: count }, (_, at) => at), parallel: 100 };
  await made.workflow("wide", workflow(node("each", "script", ["start"], { forEach, ...params({ script: "echo $(params.item)" }) })));
  const { id } = await made.submit("wide");
  for (let item = 0; item < ended; item++)
    await kit.end(
      await kit.claim(worker, made.id),
      item === failed ? { status: "failed", reason: "ExitCode", message: "Exit code 1", exitCode: 1 } : {},
    );
  await kit.settle();
  const summary = (await admin.get(`${made.path}/workflowrun/${id}?view=summary`)).body;
  const pages = (text: string) => admin.get(`${made.path}/taskrun/query?workflowruns=${id}&${text}`);
  return { ...made, id, summary, pages };
}

const namesOf = ({ tasks }: { tasks: { name: string }[] }) => tasks.map(({ name }) => name);

describe("GET workflowrun/{id}?view=summary", () => {
  test("has the same tasks as the run, and counts the items", async () => {
    const { summary, run, id } = await runWithItems(3, { ended: 2 });
    const whole = await run(id);
    expect(namesOf(summary)).toEqual(namesOf(whole));
    expect(taskOf(summary, "each")).toEqual({ ...taskOf(whole, "each"), items: { total: 3, statuses: { ready: 1, succeeded: 2 } } });
    const { spec, ...shown } = taskOf(whole, "each[0]");
    expect(spec).toBeDefined();
    expect(taskOf(summary, "each[0]")).toEqual(shown);
    expect(taskOf(whole, "each")).not.toHaveProperty("items");
  });

  test("shows at most twelve items: failed and running ones first", async () => {
    const { summary } = await runWithItems(40, { failed: 33, ended: 38 });
    const items = namesOf(summary).filter((name) => name.startsWith("each["));
    expect(items).toEqual([...[...Array(9).keys()], 33, 38, 39].map((item) => `each[${item}]`));
    expect(taskOf(summary, "each")).toMatchObject({
      items: { total: 40, statuses: { failed: 1, ready: 2, succeeded: 37 } },
      waitingFor: "Waiting for its items: 38 of 40 have ended",
    });
  });

  test("counts the items that have no task run so far", async () => {
    const { summary } = await runWithItems(700, { ended: 1 });
    const statuses = { notstarted: 599, ready: 100, succeeded: 1 };
    expect(taskOf(summary, "each")).toMatchObject({
      items: { total: 700, statuses },
      waitingFor: "Waiting for its items: 1 of 700 have ended",
    });
  });

  test("stays small for any number of items and results", async () => {
    const { id, path } = await runWithItems(20, { ended: 20 });
    await app.sql`
      insert into task_run (id, team_id, run_id, node, item, name, type, status, phase, attempt, created_at, started_at, ended_at, results)
      select new_id(), team_id, run_id, node, n, 'each[' || n || ']', type, 'succeeded', 'completed', 1, created_at, started_at, ended_at,
        json_build_array(json_build_object('name', 'out', 'value', repeat('x', 3000)))
      from task_run, generate_series(20, 5019) n where run_id = ${id} and name = 'each'`;
    await app.sql`update task_run set results = json_build_array(json_build_object('name', 'out', 'value', repeat('x', 100000)))
      where run_id = ${id} and item is null`;
    const { body, text } = await admin.get(`${path}/workflowrun/${id}?view=summary`);
    expect(text.length).toBeLessThan(50_000);
    expect(taskOf(body, "each")).toMatchObject({ truncated: true, results: [], items: { total: 5020 } });
  });

  test("includes warnings of items that it leaves out, and counts all of them", async () => {
    const { id, path } = await runWithItems(30, { ended: 30 });
    const warnings = [{ reference: "params.x", why: "It is not there" }];
    await app.sql`update task_run set warnings = ${app.sql.json(warnings)} where run_id = ${id} and item >= 10`;
    await app.sql`update run set warning_count = 20 where id = ${id}`;
    const { body } = await admin.get(`${path}/workflowrun/${id}?view=summary`);
    expect(body.warningCount).toBe(20);
    expect(body.warnings).toHaveLength(12);
    expect(body.warnings[0]).toMatchObject({ task: "each[10]" });
  });

  test("refuses an unknown view", async () => {
    const { path, id } = await runWithItems(1);
    expect(await admin.get(`${path}/workflowrun/${id}?view=short`)).toMatchObject({ status: 400 });
  });
});

describe("GET taskrun/query of a run", () => {
  test("pages the items of one forEach in their order, by status and by name", async () => {
    const { pages } = await runWithItems(25, { failed: 7, ended: 25 });
    const names = async (text: string) => (await pages(text)).body.content.map(({ name }: { name: string }) => name);
    expect(await names("itemsOf=each&sort=task&limit=10&page=2")).toEqual([20, 21, 22, 23, 24].map((item) => `each[${item}]`));
    expect((await pages("itemsOf=each")).body.totalElements).toBe(25);
    expect(await names("itemsOf=each&statuses=failed,timedout,invalid")).toEqual(["each[7]"]);
    expect(await names("itemsOf=nothing")).toEqual([]);
    expect(await names("search=EACH[2&sort=task")).toEqual([2, 20, 21, 22, 23, 24].map((item) => `each[${item}]`));
    expect((await names("sort=task&limit=100")).slice(0, 4)).toEqual(["start", "each", "each[0]", "each[1]"]);
    expect((await names("sort=task&order=DESC&limit=100")).slice(0, 2)).toEqual(["end", "each[24]"]);
  });

  test("needs the run for filters that depend on it", async () => {
    const { path } = await runWithItems(1);
    for (const text of ["sort=task", "itemsOf=each", "search=each"]) {
      const { status, body } = await admin.get(`${path}/taskrun/query?${text}`);
      expect([text, status, body.message]).toEqual([text, 400, expect.stringContaining("needs workflowruns")]);
    }
  });
});
