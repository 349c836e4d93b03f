import { expect, test } from "vitest";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { params } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Results that are small one by one must not become too large in total for a process. */
const { sql } = await testDatabase();
const kit = engineKit(sql);
const worker = await kit.worker();
const large = "x".repeat(1024 * 1024);

test("items that leave too much together end their node with the reason, and the run goes on", async () => {
  const team = await kit.team();
  const each = node("each", "script", ["start"], { forEach: { items: Array.from({ length: 66 }, (_, index) => index), parallel: 100 } });
  await kit.workflow(team, "wide", workflow(each, node("after", "setwfproperty", ["each"], params({ output: "still", value: "here" }))));
  const run = await kit.submit(team, "wide", { start: true });
  for (let item = 0; item < 66; item++) await kit.end(await kit.claim(worker, team), { results: [{ name: "out", value: large }] });
  await kit.settle();
  const parent = (await kit.tasks(team, run.id)).find((task) => task.name === "each");
  expect(parent).toMatchObject({ status: "invalid", reason: "ResultTooLarge", statusMessage: expect.stringContaining("66 MiB together") });
  expect(await kit.run(team, run.id)).toMatchObject({ status: "failed", results: [{ name: "still", value: "here" }] });
});

test("a task that refers to too much is invalid and says so", async () => {
  const team = await kit.team();
  const names = Array.from({ length: 6 }, (_, index) => `big${index}`);
  const sum = names.map((name) => `$(tasks.${name}.results.out)`).join(" ");
  await kit.workflow(
    team,
    "refers",
    workflow(...names.map((name) => node(name, "script")), node("sum", "setwfproperty", names, params({ output: "sum", value: sum }))),
  );
  const run = await kit.submit(team, "refers", { start: true });
  const results = Array.from({ length: 14 }, (_, index) => ({ name: index === 0 ? "out" : `other${index}`, value: large }));
  for (const _ of names) await kit.end(await kit.claim(worker, team), { results });
  await kit.settle();
  const task = (await kit.tasks(team, run.id)).find(({ name }) => name === "sum");
  expect(task).toMatchObject({ status: "invalid", reason: "ResultTooLarge" });
});

test("the results of a run have a bound together; a name that is set again counts once", async () => {
  const team = await kit.team();
  const set = (name: string, output: string, after: string) =>
    node(name, "setwfproperty", [after], params({ output, value: "$(params.large)" }));
  const names = Array.from({ length: 18 }, (_, index) => `set${index}`);
  const chain = (outputOf: (index: number) => string) =>
    workflow(...names.map((name, index) => set(name, outputOf(index), index === 0 ? "start" : (names[index - 1] as string))));
  const declared = { params: [{ name: "large", type: "text", default: large }] };
  await kit.workflow(
    team,
    "same",
    chain(() => "one"),
    declared,
  );
  await kit.workflow(
    team,
    "many",
    chain((index) => `out${index}`),
    declared,
  );
  const same = await kit.submit(team, "same");
  const many = await kit.submit(team, "many");
  await kit.settle();
  expect((await kit.run(team, same.id)).status).toBe("succeeded");
  const { status, results } = await kit.run(team, many.id);
  expect([status, results.length]).toEqual(["failed", 15]);
});

test("items with large parameters start as many at a time as fit together, and all of them run", async () => {
  const team = await kit.team();
  const each = node("each", "script", ["start"], {
    params: [{ name: "text", value: "$(params.large)" }],
    forEach: { items: Array.from({ length: 100 }, (_, index) => index), parallel: 100 },
  });
  await kit.workflow(team, "heavy", workflow(each), { params: [{ name: "large", type: "text", default: large }] });
  const run = await kit.submit(team, "heavy", { start: true });
  await kit.settle();
  const open = (await kit.tasks(team, run.id)).filter(({ name, status }) => name !== "each" && status === "ready");
  expect(open.length).toBeGreaterThan(25);
  expect(open.length).toBeLessThan(35);
  for (let item = 0; item < 100; item++) await kit.end(await kit.claim(worker, team));
  await kit.settle();
  expect((await kit.run(team, run.id)).status).toBe("succeeded");
});
