import { expect, test } from "vitest";
import { runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();
const megabyte = "x".repeat(1024 * 1024);

test("a response leaves out what would make it too large, and says so; each object alone is complete", async () => {
  const made = await team();
  await made.workflow(
    "wide",
    workflow(node("each", "script", ["start"], { forEach: { items: Array.from({ length: 20 }, (_, at) => at), parallel: 20 } })),
  );
  const { id } = await made.submit("wide");
  for (let item = 0; item < 20; item++) await kit.end(await kit.claim(worker, made.id), { results: [{ name: "out", value: megabyte }] });
  await kit.settle();

  const run = await made.run(id);
  const last = taskOf(run, "each[19]");
  expect(last).toMatchObject({ truncated: true, results: [], params: [], status: "succeeded" });
  expect(taskOf(run, "start")).not.toHaveProperty("truncated");
  expect(JSON.stringify(run).length).toBeLessThan(18 * 2 ** 20);
  const whole = (await admin.get(`${made.path}/taskrun/${last.id}`)).body;
  expect(whole.results).toEqual([{ name: "out", value: megabyte }]);
  expect(whole).not.toHaveProperty("truncated");

  const page = (await admin.get(`${made.path}/taskrun/query?limit=1000&workflowruns=${id}`)).body;
  expect(page.totalElements).toBe(23);
  expect(page.content.map((task: { id: string }) => task.id)).toEqual([...page.content.map((task: { id: string }) => task.id)].sort());
  expect(page.content.filter((task: { truncated?: boolean }) => task.truncated).length).toBeGreaterThan(3);
});

test("a page of runs with large values is bounded, too", async () => {
  const made = await team();
  await made.workflow("params", workflow(node("a", "setwfstatus", ["start"], { params: [{ name: "status", value: "succeeded" }] })));
  const value = megabyte.slice(0, 1_000_000);
  for (let count = 0; count < 20; count++) await made.submit("params", { params: [{ name: "large", value }] });
  const { body, text } = await admin.get(`${made.path}/workflowrun/query?limit=100&order=DESC`);
  expect(text.length).toBeLessThan(17 * 2 ** 20);
  expect(body.content.length).toBe(20);
  expect(body.content[0].params).toEqual([{ name: "large", value }]);
  expect(body.content[19]).toMatchObject({ truncated: true, params: [], results: [] });
  expect((await made.run(body.content[19].id)).params).toEqual([{ name: "large", value }]);
});
