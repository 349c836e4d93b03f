import { type FinalStatus, isExecutorType, type TaskType, type TriggerKind } from "@millrace/contract/status.ts";
import type { MockedEnd, MockStatus, TaskMock, TestEvent, WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { secretMask } from "../parameter/secret-params.ts";
import { nodeAt, type Plan } from "../workflow/plan.ts";
import { durationText } from "./test-durations.ts";

/** A finished run as in its rows: secrets are masked. Times are epoch milliseconds. */
export interface EndedRun {
  status: FinalStatus;
  reason: string | null;
  trigger: TriggerKind;
  timeoutMinutes: number | null;
  params: Values;
  results: Values;
  /** Parameters from outside of the run. */
  layers: Record<"team" | "global", Record<string, unknown>>;
  startedAt: number;
  endedAt: number;
  tasks: readonly EndedTask[];
}

export interface EndedTask {
  node: number;
  item: number | null;
  name: string;
  type: TaskType;
  status: string;
  reason: string | null;
  statusMessage: string | null;
  attempt: number;
  params: Values;
  results: Values;
  startedAt: number | null;
  endedAt: number | null;
  /** For a task on a worker, in order; the last one is how it ended. */
  attempts: readonly EndedAttempt[];
}

export interface EndedAttempt {
  status: string;
  reason: string | null;
  statusMessage: string | null;
  startedAt: number | null;
  endedAt: number;
}

type Values = readonly { name: string; value?: unknown }[];

/**
 * The test that describes this run: its input, how the tasks ended that a worker or another workflow ran, what people decided and what
 * other systems sent; and it expects that the same path leads to the same end.
 */
export function testOfRun(plan: Plan, run: EndedRun, name: string): WorkflowTestInput {
  return {
    name,
    description: "Made of a run. Shorten its mocks and expectations to what the test is about.",
    given: givenOf(plan, run),
    mocks: mocksOf(plan, run),
    events: eventsOf(run),
    expect: expectationsOf(run),
  };
}

function givenOf(plan: Plan, { params, layers, trigger, startedAt, timeoutMinutes }: EndedRun): WorkflowTestInput["given"] {
  const texts = JSON.stringify(plan.nodes.map((node) => [node.params, node.forEach?.items, node.loop?.value, node.task?.spec["params"]]));
  const used = (values: Record<string, unknown>) => {
    const known = Object.entries(values).filter(([name, value]) => texts.includes(name) && !isMasked(value) && value !== null);
    return known.length > 0 ? Object.fromEntries(known) : undefined;
  };
  const [team, global] = [used(layers.team), used(layers.global)];
  return {
    params: valuesOf(params),
    ...(team && { team }),
    ...(global && { global }),
    ...(timeoutMinutes !== null && { timeout: timeoutMinutes }),
    trigger,
    now: new Date(startedAt).toISOString(),
  };
}

function mocksOf(plan: Plan, run: EndedRun): Record<string, TaskMock> {
  const mocks: Record<string, TaskMock> = {};
  for (const task of run.tasks) {
    if (!needsMock(task)) continue;
    const mock = mockOf(task, run);
    if (task.item === null) mocks[task.name] = { ...mocks[task.name], ...mock };
    else {
      const node = nodeAt(plan, task.node).name;
      const items = mocks[node]?.items ?? [];
      while (items.length < task.item) items.push({});
      items[task.item] = mock;
      mocks[node] = { ...mocks[node], items };
    }
  }
  return mocks;
}

/** Tasks that the engine can't repeat itself. The node of a forEach needs none, since it only collects the results of its items. */
function needsMock({ type, status, attempt, startedAt, reason, item, params }: EndedTask): boolean {
  if (status === "skipped" || status === "notstarted" || startedAt === null || attempt === 0) return false;
  if (item === null && params.length === 1 && params[0]?.name === "items" && Array.isArray(params[0].value)) return false;
  if (isExecutorType(type) || type === "runworkflow") return true;
  if (type === "approval" || type === "manual" || type === "eventwait") return attempt > 1 && status !== "cancelled";
  if (type === "acquirelock") return status !== "succeeded" || attempt > 1;
  return type === "runscheduledworkflow" && status === "failed" && reason !== "InvalidParameter";
}

function mockOf(task: EndedTask, run: EndedRun): TaskMock {
  const last = endOf(task, task, run);
  const results = { ...(task.results.length > 0 && { results: valuesOf(task.results) }) };
  const before = earlierAttempts(task, run);
  if (before.length === 0) return { ...last, ...results };
  return { attempts: [...before, { ...last, ...results }] };
}

function earlierAttempts(task: EndedTask, run: EndedRun): MockedEnd[] {
  if (task.attempts.length > 0) return task.attempts.slice(0, task.attempt - 1).map((attempt) => endOf(attempt, task, run));
  const status = isExecutorType(task.type) ? "lost" : "failed";
  return Array.from({ length: task.attempt - 1 }, () => ({ status, message: "An attempt before" }));
}

function endOf(end: Omit<EndedAttempt, "endedAt"> & { endedAt: number | null }, task: EndedTask, run: EndedRun): MockedEnd {
  const { status, reason, statusMessage, startedAt } = end;
  // A task that was still running when the run ended must take longer than the run.
  const endedAt = status === "cancelled" ? run.endedAt + 3_600_000 : (end.endedAt ?? run.endedAt);
  const ms = startedAt === null ? 0 : Math.max(0, endedAt - startedAt);
  const word = statusOf(status, task);
  return {
    ...(word !== "succeeded" && { status: word }),
    ...(reason && word !== "succeeded" && { reason }),
    ...(statusMessage && word !== "succeeded" && { message: statusMessage }),
    ...(ms > 0 && { duration: durationText(ms) }),
  };
}

function statusOf(status: string, { type }: EndedTask): MockStatus {
  if (status === "failed" || status === "timedout" || status === "invalid") return status;
  return status === "lost" ? (isExecutorType(type) ? "lost" : "failed") : "succeeded";
}

function eventsOf(run: EndedRun): TestEvent[] {
  const events = run.tasks.flatMap((task): TestEvent[] => {
    if (needsMock(task) || task.startedAt === null || task.endedAt === null) return [];
    if (task.type === "approval" || task.type === "manual") return decisionsOf(task);
    return task.type === "eventwait" ? callbacksOf(task, run) : [];
  });
  if (run.status === "cancelled") events.push({ cancel: true, at: durationText(run.endedAt - run.startedAt) });
  return events;
}

const resultsOfApproval = new Set([
  "approvalStatus",
  "approvalDate",
  "approvalUserName",
  "approvalUserEmail",
  "approvalComments",
  "actionRef",
]);

function decisionsOf(task: EndedTask): TestEvent[] {
  const results = valuesOf(task.results);
  if (!("actionRef" in results)) return [];
  const after = (task.endedAt ?? 0) - (task.startedAt ?? 0);
  const fields = Object.fromEntries(Object.entries(results).filter(([name, value]) => !resultsOfApproval.has(name) && value !== ""));
  const { approvalUserName: by, approvalComments: comments } = results;
  return [
    {
      task: task.name,
      decision: task.status === "succeeded" ? "approved" : "rejected",
      ...(typeof by === "string" && by !== "" && { by }),
      ...(typeof comments === "string" && comments !== "" && { comments }),
      ...(Object.keys(fields).length > 0 && { values: fields }),
      ...(after > 0 && { after: durationText(after) }),
    },
  ];
}

function callbacksOf(task: EndedTask, run: EndedRun): TestEvent[] {
  const topic = task.params.find(({ name }) => name === "topic")?.value;
  const isFailed = task.reason === "EventFailed";
  if (topic == null || (task.status !== "succeeded" && !isFailed)) return [];
  const data = task.results.find(({ name }) => name === "data")?.value;
  const at = (task.endedAt ?? 0) - run.startedAt;
  return [
    {
      topic: typeof topic === "string" ? topic : JSON.stringify(topic),
      ...(isFailed && { status: "failed" as const }),
      ...(data !== undefined && { data }),
      ...(at > 0 && { at: durationText(at) }),
    },
  ];
}

function expectationsOf({ status, reason, results, tasks }: EndedRun): NonNullable<WorkflowTestInput["expect"]> {
  const real = tasks.filter(({ type, item }) => type !== "start" && type !== "end" && item === null);
  const failed = real.filter((task) => task.status === "failed" || task.status === "timedout" || task.status === "invalid");
  const expected = results.filter(({ value }) => !isMasked(value));
  return {
    status,
    ...(reason !== null && { reason }),
    ran: real.filter((task) => task.status === "succeeded" || failed.includes(task)).map(({ name }) => name),
    skipped: real.filter((task) => task.status === "skipped").map(({ name }) => name),
    ...(expected.length > 0 && { results: valuesOf(expected) }),
    ...(failed.length > 0 && { tasks: Object.fromEntries(failed.map((task) => [task.name, { status: task.status as FinalStatus }])) }),
  };
}

function valuesOf(values: Values): Record<string, unknown> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value ?? null]));
}

function isMasked(value: unknown): boolean {
  return (JSON.stringify(value) ?? "").includes(secretMask);
}

/** For one value: a longer one would make a test hard to read. */
const maxParamLength = 2000;

/**
 * The parameters that the tasks received, as far as the test gives them the same values: others contain the run's id or the time.
 * @param played what the tasks of the test received, by their names
 */
export function repeatedParams(
  run: EndedRun,
  played: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Record<string, Record<string, unknown>> {
  const all = run.tasks.flatMap((task) => {
    const found = played.get(task.name);
    if (found === undefined || task.item !== null || task.startedAt === null) return [];
    const same = task.params.filter(({ name, value }) => {
      const text = JSON.stringify(value ?? null);
      return Object.hasOwn(found, name) && text === JSON.stringify(found[name]) && text.length <= maxParamLength && !isMasked(value);
    });
    return same.length > 0 ? [[task.name, valuesOf(same)] as const] : [];
  });
  return Object.fromEntries(all);
}
