import { type EngineTaskType, type Finished, failed, textParam } from "../core/task/task-type.ts";

/**
 * Submits a run of another workflow of the team, exactly once. With `wait` the task ends with the child and passes its results
 * up; without, it succeeds as soon as the child is recorded. All other parameters go to the child.
 */
export const runWorkflow: EngineTaskType = {
  type: "runworkflow",
  start({ params, task, ask }) {
    const workflowRef = textParam(params, "workflowRef");
    if (!workflowRef) return failed("MissingParameter", 'Parameter "workflowRef" is missing; it names the workflow to run');
    const passed = [...params].filter(([name]) => name !== "workflowRef" && name !== "wait").map(([name, value]) => ({ name, value }));
    const waits = isTrue(params.get("wait"));
    const answer = ask.child({ taskRunId: task.id, workflowRef, params: passed, waits });
    if (answer.error !== undefined) return failed(answer.reason, answer.error);
    if (!waits) return { kind: "finished", status: "succeeded", results: [{ name: "workflowRunRef", value: answer.runId }] };
    return {
      kind: "waiting",
      wait: { kind: "run", key: answer.runId, detail: `Waiting for run ${answer.runId} of workflow "${workflowRef}"` },
    };
  },
  wake({ task }, event): Finished | undefined {
    if (event.kind !== "child" || event.runId !== task.waitKey) return undefined;
    const own = [
      { name: "workflowRunRef", value: event.runId },
      { name: "status", value: event.status },
    ];
    const names = new Set(own.map((result) => result.name));
    const results = [...own, ...event.results.filter((result) => !names.has(result.name))];
    if (event.status === "succeeded") return { kind: "finished", status: "succeeded", results };
    const message = `Run ${event.runId} ended as ${event.status}${event.message ? `: ${event.message}` : ""}`;
    return { kind: "finished", status: "failed", reason: "ChildRunFailed", message, results };
  },
};

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}
