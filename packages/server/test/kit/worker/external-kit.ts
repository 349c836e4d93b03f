import type { ExternalClaim } from "@millrace/contract/external.ts";
import type { TestAnswer, TestApp } from "../app.ts";

/** A team with external tasks, and programs that claim them over the API. */
export interface ExternalTeam {
  id: string;
  name: string;
  path: string;
  /** A token that may claim these tasks; all tasks if they are omitted. */
  token(tasks?: readonly string[], permissions?: readonly string[]): Promise<string>;
  worker(token: string, more?: object): TestWorker;
  /** Saves a workflow that runs these tasks one after the other, each with these parameters, and submits it. @returns the id of the run */
  run(tasks: readonly string[], more?: object): Promise<string>;
  runOf(id: string): Promise<RunAnswer>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
type RunAnswer = any;

export interface TestWorker {
  id: string | undefined;
  claim(tasks: readonly string[], more?: object): Promise<ExternalClaim[]>;
  call(what: string, body: object): Promise<TestAnswer>;
  complete(claim: ExternalClaim, outcome?: object, next?: object): Promise<TestAnswer>;
}

export const externalAnnotations = { "millrace.dev/executor": "external" };

/** @param tasks names of tasks, or bodies as the API takes them */
export async function externalTeam(
  app: TestApp,
  tasks: readonly (string | (Record<string, unknown> & { name: string }))[],
): Promise<ExternalTeam> {
  const { id, name } = await app.make.team();
  const path = `/api/v2/team/${name}`;
  for (const task of tasks) {
    const body = typeof task === "string" ? { name: task } : task;
    const saved = await app.as().post(`${path}/task`, { type: "custom", annotations: externalAnnotations, ...body });
    if (saved.status !== 200) throw new Error(`the task was answered ${saved.status}: ${saved.text}`);
  }
  let workflows = 0;
  return {
    ...{ id, name, path },
    async token(names = ["*"], permissions = ["externaltask/action"]) {
      const made = await app.as().post("/api/v2/token", { type: "team", name: "worker", principal: name, permissions, tasks: names });
      if (made.status !== 200) throw new Error(`the token was answered ${made.status}: ${made.text}`);
      return made.body.token;
    },
    worker: (token, more = {}) => testWorker(app, path, token, more),
    async run(names, more = {}) {
      const workflow = `external-${++workflows}`;
      const nodes = names.map((taskRef, index) => ({
        ...{ name: `step-${index + 1}`, taskRef, ...more },
        ...(index > 0 && { dependencies: [{ taskRef: `step-${index}`, executionCondition: "success" }] }),
      }));
      const saved = await app.as().post(`${path}/workflow`, { name: workflow, tasks: nodes });
      if (saved.status !== 200) throw new Error(`the workflow was answered ${saved.status}: ${saved.text}`);
      const run = await app.as().post(`${path}/workflow/${workflow}/submit?start=true`, {});
      if (run.status !== 200) throw new Error(`the submission was answered ${run.status}: ${run.text}`);
      return run.body.id;
    },
    runOf: async (runId) => (await app.as().get(`${path}/workflowrun/${runId}`)).body,
  };
}

function testWorker(app: TestApp, path: string, token: string, more: object): TestWorker {
  const worker: TestWorker = {
    id: undefined,
    async claim(tasks, wanted = {}) {
      const { status, body, text } = await worker.call("claim", { tasks, max: 10, ...(worker.id === undefined && more), ...wanted });
      if (status !== 200) throw new Error(`the claim was answered ${status}: ${text}`);
      worker.id = body.worker;
      return body.attempts;
    },
    call: (what, body) =>
      app.as(token).post(`${path}/external/${what}`, { ...(worker.id !== undefined && { worker: worker.id }), ...body }),
    complete: ({ id, attempt }, outcome = {}, next = {}) =>
      worker.call("complete", { attempts: [{ id, attempt, status: "succeeded", ...outcome }], ...next }),
  };
  return worker;
}
