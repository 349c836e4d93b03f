import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { expectElapsed } from "../../kit/processor-ms.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const big = "x".repeat(900_000);

/** This many tasks side by side, each with the large parameter of the run. */
const fan = (count: number, after = "start") =>
  Array.from({ length: count }, (_, index) => node(`task-${index}`, "script", [after], params({ text: "$(params.big)" })));
const declared = { params: [{ name: "big", type: "textarea", default: "" }] };
const given = { params: [{ name: "big", value: big }] };

test("a start whose tasks would hold more parameters than a change may have is refused, and nothing is recorded", async () => {
  const made = await team();
  await made.workflow("fan", workflow(...fan(400)), declared);
  const path = `${made.path}/workflow/fan/submit?start=true`;
  const refused = await admin.post(path, given);
  expect(refused).toMatchObject({ status: 400, body: { reason: "WORKFLOWRUN_INVALID_REQUIREMENT" } });
  expect(refused.body.message).toContain("more than 32 MiB together");
  expect((await admin.get(`${made.path}/workflowrun/query?limit=10&page=0`)).body.totalElements).toBe(0);
});

test("writing a start within the limit does not block the event loop", async () => {
  const made = await team();
  await made.workflow("fan", workflow(...fan(35)), declared);
  // The shortest of three: the extra time caused by other work on the machine is not part of the start.
  const stretches: number[] = [];
  for (let n = 0; n < 3; n++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const { status, body } = await admin.post(`${made.path}/workflow/fan/submit?start=true`, given);
    delay.disable();
    expect([status, body.status]).toEqual([200, "running"]);
    stretches.push(Math.round(delay.max / 1e6));
  }
  process.stdout.write(`35 tasks of 900 kB each: the longest stretches were ${stretches.join(", ")} ms\n`);
  expectElapsed(Math.min(...stretches), 1000);
});

test("tasks that start later and would go beyond the bound fail by name, and the others run", async () => {
  const made = await team();
  await made.workflow("later", workflow(node("first", "script", ["start"]), ...fan(40, "first")), declared);
  const { id } = await made.submit("later", given);
  await kit.end(await made.claim(await kit.worker()));
  const run = await made.run(id);
  const counted = { ready: 0, invalid: 0 };
  for (let index = 0; index < 40; index++) counted[taskOf(run, `task-${index}`).status as "ready" | "invalid"] += 1;
  expect(counted).toEqual({ ready: 37, invalid: 3 });
  expect(taskOf(run, "task-39")).toMatchObject({ reason: "ParametersTooLarge", statusMessage: expect.stringContaining("32 MiB") });
});

test("a task whose references would put in more than 4 MiB fails with the bound, and is not given the references as text", async () => {
  const made = await team();
  const text = Array.from({ length: 6 }, () => "$(params.big)").join("");
  await made.workflow("six", workflow(node("a", "script", ["start"]), node("b", "script", ["a"], params({ text }))), declared);
  const { id } = await made.submit("six", given);
  await kit.end(await made.claim(await kit.worker()));
  expect(taskOf(await made.run(id), "b")).toMatchObject({
    status: "invalid",
    reason: "ParametersTooLarge",
    statusMessage: expect.stringContaining("more than 4 MiB"),
  });
});
