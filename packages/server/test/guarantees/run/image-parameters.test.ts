import { expect, test } from "vitest";
import { needsMet } from "../../../src/core/task/place-task.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";

/** If an image comes from a parameter, the task run is placed by its resolved steps. Nothing else about them may matter then. */
const { app, kit, team } = await runKit();
const admin = app.as();
const big = "x".repeat(1_000_000);

const mounting = {
  params: [{ name: "image" }, { name: "path" }],
  volumes: [{ name: "v", emptyDir: {} }],
  steps: [{ image: "$(params.image)", script: "x", volumeMounts: [{ name: "v", mountPath: "$(params.path)" }] }],
};
const repeating = {
  params: [{ name: "image" }, { name: "text", type: "textarea" }],
  steps: Array.from({ length: 300 }, (_, index) => ({
    name: `s${index}`,
    image: "$(params.image)",
    script: "x",
    args: Array.from({ length: 10 }, () => "a$(params.text)$(params.text)$(params.text)$(params.text)"),
  })),
};

/** Prepares the jobs that a worker would run; an error in their steps ends the attempt with a message, and never the worker. */
async function refusals() {
  const claims = await claimTaskRuns(app.sql, await kit.worker({ executors: ["container"] }), 100, needsMet(["container"]), []);
  const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
  const settings = { executors: testExecutors("container"), workspacesDir: "/nowhere", limits };
  return (await prepareJobs(app.sql, app.context, settings, claims)).map(({ refusal }) => refusal);
}

test.each([
  ["a mount that turns out wrong", mounting, { path: "not/absolute" }, ["InvalidTask", "must be an absolute path"]],
  ["texts that references make enormous", repeating, { text: big }, ["ParametersTooLarge", "more than 32 MiB together"]],
])(
  "a workflow whose task has its image from a parameter, and %s, is saved and its task run placed",
  async (_, spec, values, [reason, words]) => {
    const made = await team();
    const name = `task-${Object.keys(values)[0]}`;
    expect((await admin.post(`${made.path}/task`, { name, spec })).status).toBe(200);
    const node = (given: object) => ({ name: "one", taskRef: name, ...params({ image: "alpine", ...given }) });
    const saved = await admin.post(`${made.path}/workflow`, { name: "flow", tasks: [node(values)] });
    expect([saved.status, saved.body.message]).toEqual([200, undefined]);
    const { id } = await made.submit("flow");
    expect(taskOf(await made.run(id), "one")).toMatchObject({ status: "ready" });
    expect(await refusals()).toEqual([expect.objectContaining({ reason, message: expect.stringContaining(words as string) })]);
  },
);

test("images that references expand beyond the limit refuse a start by name, but not a save", async () => {
  const made = await team();
  const steps = repeating.steps.map(({ name, args }) => ({ name, script: "x", image: args.join("") }));
  expect((await admin.post(`${made.path}/task`, { name: "images", spec: { ...repeating, steps } })).status).toBe(200);
  const tasks = [{ name: "one", taskRef: "images", ...params({ text: big }) }];
  expect((await admin.post(`${made.path}/workflow`, { name: "flow", tasks })).status).toBe(200);
  const refused = await admin.post(`${made.path}/workflow/flow/submit?start=true`, {});
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining("more than 32 MiB together") } });
});
