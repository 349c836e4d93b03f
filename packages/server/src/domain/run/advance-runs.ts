import { inSlices } from "../../base/process/slices.ts";
import { advanceSteps, isEmptyChange, type RunEvent } from "../../core/run/advance.ts";
import { type Facts, type Needs, noFacts } from "../../core/run/facts.ts";
import { mayBeginItems } from "../../core/run/items/for-each.ts";
import { maxReadBytes } from "../../core/run/result-sizes.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState } from "../../core/run/run-state.ts";
import { barePlan } from "../../core/workflow/bare-plan.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import { applyRunChanges, type PlannedChange } from "../../store/run/run-changes.ts";
import { findNewestEvent } from "../../store/run/run-events.ts";
import { findResults, type LockOptions, lockRuns, lockVersions, newIds, type RunKey } from "../../store/run/run-states.ts";
import { takeLock } from "../../store/run/task-locks.ts";
import { findApproverGroup } from "../../store/team/members.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Advances runs inside the caller's transaction: locks their rows in (team, id) order, reads them, lets the pure core decide, and writes
 * the changes of all of them in one statement. Facts that the core asks for are fetched under the lock. A child run or a named lock that it
 * asks for is created in the same transaction, and so exactly once.
 */

export interface RunWork extends RunKey {
  events: readonly RunEvent[];
  /** Ids of the signals that these events came from; they are deleted with the change. */
  drained?: readonly number[];
}

/** What happened to attempts, grouped by run. */
export function groupByRun<T extends { teamId: string; runId: string }>(items: readonly T[], eventOf: (item: T) => RunEvent): RunWork[] {
  const work = new Map<string, { teamId: string; id: string; events: RunEvent[] }>();
  for (const item of items) {
    const run = work.get(item.runId) ?? { teamId: item.teamId, id: item.runId, events: [] };
    run.events.push(eventOf(item));
    work.set(item.runId, run);
  }
  return [...work.values()];
}

/** @returns the change of each run that was found, in no particular order; empty for a run on which nothing happened */
export async function advanceRuns(
  tx: Transaction,
  context: RunContext,
  work: readonly RunWork[],
  options: LockOptions = {},
): Promise<RunChange[]> {
  const remembered = options.skipLocked ? await lockRemembered(tx, context, work) : [];
  const others = work.filter(({ id }) => !remembered.some((state) => state.id === id));
  const { states, now } = await lockRuns(tx, others, options);
  context.clock.note(now);
  const events = new Map(work.map((item) => [item.id, item]));
  const planned: PlannedChange[] = [];
  for (const state of [...remembered, ...states]) {
    const item = events.get(state.id);
    if (!item || item.teamId !== state.teamId) continue;
    const plan = await loadPlan(tx, context, state, item.events);
    planned.push({ plan, change: await decide(tx, context, plan, state, item.events, now), drained: item.drained ?? [] });
  }
  const writing = planned.filter(({ change, drained }) => drained.length > 0 || !isEmptyChange(change));
  if (writing.length > 0) await write(tx, writing);
  return planned.map(({ change }) => change);
}

/**
 * A run with many items, or rounds of a loop, is not read again for each of its changes, and neither is one of which a child
 * has ended. What is remembered of it may lack a claim, which changes no version and is no news for items that have not begun, nor for tasks
 * that wait for a child; whatever else is due is found by the look after the last such change. Locked runs of others are passed over, so the
 * order of locks does not matter here.
 */
async function lockRemembered(tx: Transaction, context: RunContext, work: readonly RunWork[]): Promise<RunState[]> {
  const going: RunState[] = [];
  for (const { teamId, id, events } of work) {
    const state = events.every(({ kind }) => kind === "look" || kind === "child") ? context.states.get(id) : undefined;
    if (state?.teamId !== teamId || state.items.size === 0) continue;
    const mayGoOn = events.some(({ kind }) => kind === "child") || mayBeginItems(await context.plans.load(tx, state), state);
    if (mayGoOn) going.push(state);
  }
  if (going.length === 0) return [];
  const { versions } = await lockVersions(tx, going);
  return going.filter(({ id, stateVersion }) => versions.get(id) === stateVersion);
}

/** A run whose plan is broken can't continue, but it can be ended. */
async function loadPlan(tx: Transaction, context: RunContext, state: RunState, events: readonly RunEvent[]): Promise<Plan> {
  try {
    return await context.plans.load(tx, state);
  } catch (error) {
    if (events.every(({ kind }) => kind === "broken")) return barePlan(state.nodes);
    throw error;
  }
}

async function write(tx: Transaction, writing: readonly PlannedChange[]): Promise<void> {
  const applied = await applyRunChanges(tx, writing);
  const refused = writing.find(({ change }) => !applied.has(change.after.id));
  if (refused) throw new Error(`run ${refused.change.after.id} changed although its row was locked`);
  for (const { change } of writing) change.after.stateVersion = change.before.stateVersion + 1;
}

/** Calls the core until it has all the facts it needs. Each call adds at least one, so this ends. */
async function decide(
  tx: Transaction,
  context: RunContext,
  plan: Plan,
  state: RunState,
  events: readonly RunEvent[],
  now: number,
): Promise<RunChange> {
  const facts = noFacts();
  for (;;) {
    const { change, needs } = await inSlices(advanceSteps(plan, state, events, facts, context.types, now));
    if (change) return change;
    await fetchFacts(tx, context, plan, state, needs, facts);
  }
}

async function fetchFacts(tx: Transaction, context: RunContext, plan: Plan, state: RunState, needs: Needs, facts: Facts): Promise<void> {
  if (needs.ids) facts.ids.push(...(await newIds(tx, needs.ids - facts.ids.length)));
  if (needs.results) {
    const found = await findResults(tx, state.teamId, needs.results, maxReadBytes);
    if (typeof found === "number") facts.oversized = new Map(facts.oversized).set(needs.results.join(" "), found);
    else for (const id of needs.results) facts.results.set(id, found.get(id) ?? []);
  }
  if (needs.event !== undefined) facts.events.set(needs.event, (await findNewestEvent(tx, state.teamId, state.id, needs.event)) ?? null);
  if (needs.lock) facts.locks.set(needs.lock.key, await takeLock(tx, { teamId: state.teamId, runId: state.id, ...needs.lock }));
  if (needs.group !== undefined) facts.groups.set(needs.group, (await findApproverGroup(tx, state.teamId, needs.group, state.id)) ?? null);
  if (needs.later) facts.later.set(needs.later.taskRunId, await context.scheduleLater(tx, context, plan, state, needs.later));
  if (needs.child) facts.children.set(needs.child.taskRunId, await context.submitChild(tx, context, plan, state, needs.child));
}
