import { timeZoneFault } from "../core/cron/time-zone.ts";
import { type Delay, futureTime, type Period, periods, readTime } from "../core/schedule/future-time.ts";
import { type EngineTaskType, type Finished, failed, type Outcome, textParam } from "../core/task/task-type.ts";
import { callParams, isTrue, readVersion } from "../core/workflow/child-call.ts";

/**
 * Submits a run of another workflow of the team, exactly once. With `wait` the task ends with the child and returns its results; without,
 * it succeeds as soon as the child is recorded. Its own parameters say which workflow (core/workflow/child-call.ts), all others are passed
 * to the child. A nested workflow is found in the plan, and always waited for.
 */
export const runWorkflow: EngineTaskType = {
  type: "runworkflow",
  start({ params, task, node, ask }) {
    const passed = [...params].filter(([name]) => !callParams.has(name)).map(([name, value]) => ({ name, value }));
    if (node.nested) {
      const { workflowId: workflowRef, version: workflowVersion } = node.nested;
      const nested = ask.child({ taskRunId: task.id, workflowRef, workflowVersion, params: passed, waits: true, isNested: true });
      return nested.error !== undefined ? failed(nested.reason, nested.error) : waitFor(nested.runId, "its nested workflow");
    }
    const workflowRef = textParam(params, "workflowRef");
    if (!workflowRef) return failed("MissingParameter", 'Parameter "workflowRef" is missing; it names the workflow to run');
    const workflowVersion = readVersion(params.get("workflowVersion"));
    if (typeof workflowVersion === "string") return failed("InvalidParameter", `Parameter "workflowVersion" ${workflowVersion}`);
    const waits = isTrue(params.get("wait"));
    const answer = ask.child({ taskRunId: task.id, workflowRef, workflowVersion, params: passed, waits });
    if (answer.error !== undefined) return failed(answer.reason, answer.error);
    if (!waits) return { kind: "finished", status: "succeeded", results: [{ name: "workflowRunRef", value: answer.runId }] };
    return waitFor(answer.runId, `workflow "${workflowRef}"`);
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

function waitFor(runId: string, whose: string): Outcome {
  return { kind: "waiting", wait: { kind: "run", key: runId, detail: `Waiting for run ${runId} of ${whose}` } };
}

/**
 * Creates a schedule that runs a workflow of the team once, later. The task succeeds as soon as the schedule is recorded. All other
 * parameters are passed to that run.
 */
export const runScheduledWorkflow: EngineTaskType = {
  type: "runscheduledworkflow",
  start({ params, task, now, ask }) {
    const workflowRef = textParam(params, "workflowRef");
    if (!workflowRef) return failed("MissingParameter", 'Parameter "workflowRef" is missing; it names the workflow to run');
    const delay = readDelay(params);
    if ("kind" in delay) return delay;
    const at = futureTime(delay, new Date(now)).getTime();
    if (at <= now)
      return failed(
        "InvalidParameter",
        `${new Date(at).toISOString()} is not in the future; ask for a later "time" or a larger "futureIn"`,
      );
    const passed = [...params].filter(([name]) => !own.has(name)).map(([name, value]) => ({ name, value }));
    const answer = ask.later({ taskRunId: task.id, workflowRef, params: passed, at, timeZone: delay.timeZone });
    if (answer.error !== undefined) return failed(answer.reason, answer.error);
    const results = [
      { name: "scheduleRef", value: answer.scheduleId },
      { name: "scheduledDate", value: new Date(at).toISOString() },
    ];
    return { kind: "finished", status: "succeeded", results };
  },
};

const own = new Set(["workflowRef", "futureIn", "futurePeriod", "time", "timezone"]);

/** Ten years: a longer delay is a mistake of units. */
const maxCounts: Record<Period, number> = { minutes: 5_256_000, hours: 87_600, days: 3650, weeks: 520, months: 120 };

function readDelay(params: ReadonlyMap<string, unknown>): Delay | Finished {
  const period = periods.find((word) => word === (textParam(params, "futurePeriod") ?? "days").trim().toLowerCase());
  if (!period) {
    return failed(
      "InvalidParameter",
      `Parameter "futurePeriod" is ${shown(params, "futurePeriod")}; it must be one of ${periods.join(", ")}`,
    );
  }
  const count = Number(textParam(params, "futureIn") ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1 || count > maxCounts[period]) {
    const message = `Parameter "futureIn" is ${shown(params, "futureIn")}; it must be a whole number of ${period} from 1 to ${maxCounts[period]}`;
    return failed("InvalidParameter", message);
  }
  const time = textParam(params, "time");
  if (time !== undefined && !readTime(time)) {
    return failed("InvalidParameter", `Parameter "time" is ${shown(params, "time")}; it must be HH:mm on a 24-hour clock, such as 08:30`);
  }
  const timeZone = textParam(params, "timezone")?.trim() || "UTC";
  const fault = timeZoneFault(timeZone);
  if (fault !== undefined) return failed("InvalidParameter", `Parameter "timezone" is ${shown(params, "timezone")}: ${fault}`);
  return { count, period, time, timeZone };
}

function shown(params: ReadonlyMap<string, unknown>, name: string): string {
  return (JSON.stringify(params.get(name) ?? null) ?? "null").slice(0, 100);
}
