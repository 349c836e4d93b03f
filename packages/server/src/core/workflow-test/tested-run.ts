import type { TestedRun, TestedTask } from "@millrace/contract/workflow/workflow-test.ts";
import { shorten } from "../../base/text/shorten.ts";
import type { TaskState } from "../run/run-state.ts";
import { takenLinks } from "./branch-coverage.ts";
import type { TestPlayer } from "./test-player.ts";

/** The result of a test shows the path, and only the beginning of long values: a hostile workflow could leave many of 1 MiB. */

const maxTasks = 1000;
const maxValueLength = 10_000;
const maxLength = 1024 * 1024;

export function showRun(player: TestPlayer): TestedRun {
  const { state, plan } = player.run;
  const budget = { left: maxLength };
  const results = shownValues(state.results, budget);
  const tasks = inOrder(player).slice(0, maxTasks);
  return {
    status: state.status,
    ...(state.reason !== null && { reason: state.reason }),
    ...(state.statusMessage !== null && { message: state.statusMessage }),
    durationMs: player.sinceStart(state.endedAt ?? player.run.now),
    results,
    tasks: tasks.map((task) => showTask(player, task, budget)),
    links: takenLinks(plan, state),
  };
}

/** In the order of their start, then those that never started. */
function inOrder(player: TestPlayer): TaskState[] {
  const { began } = player;
  const tasks = player.tasks().filter(({ type }) => type !== "start" && type !== "end");
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const begun = new Set(began);
  return [...[...begun].flatMap((id) => byId.get(id) ?? []), ...tasks.filter(({ id }) => !begun.has(id))];
}

function showTask(player: TestPlayer, task: TaskState, budget: { left: number }): TestedTask {
  const { name, type, status, reason, statusMessage, attempt, startedAt, endedAt, decisionValue, params, results } = task;
  const escalation = player.actions.escalationOf(task.id);
  return {
    name,
    type,
    status,
    ...(reason !== null && { reason }),
    ...(statusMessage && { message: statusMessage }),
    attempts: attempt,
    ...(startedAt !== null && { startedMs: player.sinceStart(startedAt) }),
    ...(endedAt !== null && { endedMs: player.sinceStart(endedAt) }),
    ...(decisionValue !== null && { decision: shorten(decisionValue, maxValueLength) }),
    ...(escalation && { escalatedTo: escalation.group, escalatedMs: player.sinceStart(escalation.at) }),
    isMocked: player.isMocked(task),
    params: shownValues(params ?? [], budget),
    results: shownValues(results ?? [], budget),
  };
}

function shownValues(values: readonly { name: string; value?: unknown }[], budget: { left: number }): Record<string, unknown> {
  return Object.fromEntries(values.map(({ name, value }) => [name, shownValue(value ?? null, budget)]));
}

function shownValue(value: unknown, budget: { left: number }): unknown {
  const text = JSON.stringify(value);
  const room = Math.min(maxValueLength, Math.max(0, budget.left));
  budget.left -= Math.min(text.length, room);
  return text.length <= room ? value : shorten(typeof value === "string" ? value : text, room);
}

/** A value in a failure. */
export function shownAlone(value: unknown): unknown {
  return shownValue(value, { left: maxValueLength });
}
