import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { TaskCheck, TestFailure, WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { isSameJson } from "../document/same-json.ts";
import { didRun } from "../run/consider-node.ts";
import type { TaskState } from "../run/run-state.ts";
import type { Plan } from "../workflow/plan.ts";
import { MockedEnds } from "./mocked-ends.ts";
import type { NestedPlans } from "./nested-plan.ts";
import type { Escalation } from "./played-actions.ts";
import { durationText, msOf } from "./test-durations.ts";
import type { TestPlayer } from "./test-player.ts";
import { shownAlone } from "./tested-run.ts";

type Expectations = NonNullable<WorkflowTestInput["expect"]>;
type Values = readonly { name: string; value?: unknown }[];

/** Refuses names that the workflow does not have, so that an expectation with a misspelt name does not always pass. @throws TestProblem */
export function refuseUnknownNames(plan: Plan, test: WorkflowTestInput, nested?: NestedPlans): void {
  const { ran, skipped, order, params, tasks } = test.expect ?? {};
  const mocks = new MockedEnds(plan, {}, nested);
  for (const [member, names] of Object.entries({ ran, skipped, order }))
    for (const [index, name] of (names ?? []).entries()) mocks.nodeOf(name, `/expect/${member}/${index}`);
  for (const [member, named] of Object.entries({ params, tasks }))
    for (const name of Object.keys(named ?? {})) mocks.nodeOf(name, `/expect/${member}/${escapePointer(name)}`);
}

/** The expectations that were not met; empty: the test has passed. */
export function checkOutcome(player: TestPlayer, { expect }: WorkflowTestInput): TestFailure[] {
  const expected = expect ?? {};
  return [...checkRun(player, expected), ...checkPath(player, expected), ...checkTasks(player, expected)];
}

function checkRun(player: TestPlayer, { status, reason, message, results, duration }: Expectations): TestFailure[] {
  const { state } = player.run;
  const wanted = status ?? "succeeded";
  const why = state.statusMessage ? `: ${state.statusMessage}` : "";
  const isPart = message == null || (state.statusMessage ?? "").includes(message);
  const took = player.sinceStart(state.endedAt ?? player.run.now);
  return [
    ...unless(state.status === wanted, "/expect/status", `the run ended as ${state.status}${why}`, wanted, state.status),
    ...unless(reason == null || state.reason === reason, "/expect/reason", "the run has another reason", reason, state.reason),
    ...unless(isPart, "/expect/message", "the run has another message", message, state.statusMessage),
    ...checkValues("/expect/results", "the run", "result", results, state.results),
    ...unless(
      duration?.min == null || took >= msOf(duration.min),
      ...(["/expect/duration/min", "the run was faster", duration?.min, durationText(took)] as const),
    ),
    ...unless(
      duration?.max == null || took <= msOf(duration.max),
      ...(["/expect/duration/max", "the run took longer", duration?.max, durationText(took)] as const),
    ),
  ];
}

function checkPath(player: TestPlayer, { ran, skipped, order }: Expectations): TestFailure[] {
  const found = tasksByName(player);
  const check = (member: string, names: readonly string[], isMet: (task: TaskState) => boolean, not: string) =>
    names.flatMap((name, index) => {
      const task = found.get(name);
      const actual = task ? `${task.status}${task.statusMessage ? `: ${task.statusMessage}` : ""}` : "there is no such item";
      return unless(task !== undefined && isMet(task), `/expect/${member}/${index}`, `task "${name}" ${not}`, member, actual);
    });
  return [
    ...check("ran", ran ?? [], didRun, "did not run"),
    ...check("skipped", skipped ?? [], ({ status }) => status === "skipped", "was not skipped"),
    ...checkOrder(player, order ?? [], found),
  ];
}

function checkOrder({ began }: TestPlayer, order: readonly string[], found: ReadonlyMap<string, TaskState>): TestFailure[] {
  if (order.length === 0) return [];
  const wanted = new Set(order);
  const names = new Map([...found.values()].map(({ id, name }) => [id, name]));
  const actual = [...new Set(began.flatMap((id) => names.get(id) ?? []))].filter((name) => wanted.has(name));
  return unless(isSameJson(actual, [...order]), "/expect/order", "the tasks began in another order", order, actual);
}

function checkTasks(player: TestPlayer, { params, tasks }: Expectations): TestFailure[] {
  const found = tasksByName(player);
  const short = Object.entries(params ?? {}).flatMap(([name, values]) =>
    checkParams(`/expect/params/${escapePointer(name)}`, name, values, found),
  );
  return [...short, ...Object.entries(tasks ?? {}).flatMap(([name, expected]) => checkTask(player, name, expected, found))];
}

function checkTask(player: TestPlayer, name: string, expected: TaskCheck, found: ReadonlyMap<string, TaskState>): TestFailure[] {
  const path = `/expect/tasks/${escapePointer(name)}`;
  const task = found.get(name);
  if (task === undefined) return [{ path, message: `task "${name}" has no such item` }];
  const { status, reason, attempts, decision } = expected;
  const what = `task "${name}"`;
  const why = task.statusMessage ? `: ${task.statusMessage}` : "";
  return [
    ...unless(status == null || task.status === status, `${path}/status`, `${what} ended as ${task.status}${why}`, status, task.status),
    ...unless(reason == null || task.reason === reason, `${path}/reason`, `${what} has another reason`, reason, task.reason),
    ...unless(
      attempts == null || task.attempt === attempts,
      `${path}/attempts`,
      `${what} was tried ${task.attempt} times`,
      attempts,
      task.attempt,
    ),
    ...unless(
      decision == null || task.decisionValue === decision,
      ...([`${path}/decision`, `${what} compared another value`, decision, task.decisionValue] as const),
    ),
    ...checkEscalation(path, what, expected, player.actions.escalationOf(task.id)),
    ...(expected.params == null ? [] : checkParams(`${path}/params`, name, expected.params, found)),
    ...checkValues(`${path}/results`, what, "result", expected.results, task.results ?? []),
  ];
}

function checkEscalation(
  path: string,
  what: string,
  { escalated, escalatedTo, escalatedAfter }: TaskCheck,
  actual: Escalation | undefined,
): TestFailure[] {
  const happened = `the action of ${what} was ${actual ? "" : "not "}escalated`;
  const after = actual && actual.at - actual.openedAt;
  const isThen = escalatedAfter == null || after === msOf(escalatedAfter);
  const isTo = escalatedTo == null || actual?.group === escalatedTo;
  return [
    ...unless(escalated == null || escalated === (actual !== undefined), `${path}/escalated`, happened, escalated, actual !== undefined),
    ...unless(isTo, `${path}/escalatedTo`, actual ? `${happened} to another group` : happened, escalatedTo, actual?.group),
    ...unless(
      isThen,
      `${path}/escalatedAfter`,
      actual ? `${happened} at another time` : happened,
      escalatedAfter,
      after && durationText(after),
    ),
  ];
}

function checkParams(path: string, name: string, expected: Record<string, unknown>, found: ReadonlyMap<string, TaskState>): TestFailure[] {
  const task = found.get(name);
  if (task === undefined || task.startedAt === null) return [{ path, message: `task "${name}" did not run, so it received nothing` }];
  return checkValues(path, `task "${name}"`, "parameter", expected, task.params ?? []);
}

function checkValues(
  path: string,
  what: string,
  kind: string,
  expected: Record<string, unknown> | null | undefined,
  values: Values,
): TestFailure[] {
  const actual = new Map(values.map(({ name, value }) => [name, value ?? null]));
  return Object.entries(expected ?? {}).flatMap(([name, value]) => {
    const place = `${path}/${escapePointer(name)}`;
    if (!actual.has(name)) return [{ path: place, message: `${what} has no ${kind} "${name}"`, expected: shownAlone(value) }];
    return unless(isSameJson(actual.get(name), value), place, `${what} has another ${kind} "${name}"`, value, actual.get(name));
  });
}

function unless(isMet: boolean, path: string, message: string, expected: unknown, actual: unknown): TestFailure[] {
  if (isMet) return [];
  return [{ path, message, expected: shownAlone(expected ?? null), actual: shownAlone(actual ?? null) }];
}

function tasksByName(player: TestPlayer): Map<string, TaskState> {
  return new Map(player.tasks().map((task) => [task.name, task]));
}
