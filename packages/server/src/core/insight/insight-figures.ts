import type { Status } from "@millrace/contract/status.ts";
import { forEachRun, type InsightRun, type PackedRuns } from "./insight-runs.ts";
import { NumberParts, percentileOf, placeAfter } from "./sorted-parts.ts";

/** Counts and durations of a group of runs. Times are milliseconds, null if no run has ended. */
export interface InsightFigures {
  total: number;
  succeeded: number;
  failed: number;
  running: number;
  totalMs: number;
  /** At 50, 90, 95, 99 and 100 percent. */
  percentilesMs: (number | null)[];
}

export interface WorkflowFigures extends InsightFigures {
  teamId: string;
  workflowId: string;
}

export interface TeamFigures extends InsightFigures {
  teamId: string;
}

export interface AllFigures {
  all: InsightFigures;
  /** For each day, in order; undefined: no run was created on it. */
  days: (InsightFigures | undefined)[];
  /** The workflows with the most runs. */
  workflows: WorkflowFigures[];
  teams: TeamFigures[];
  statuses: Partial<Record<Status, number>>;
  /** At 50, 90, 95, 99 and 100 percent of the time between creation and start. */
  queueMs: (number | null)[];
}

export interface InsightFilter {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** Undefined: all. */
  workflowIds: ReadonlySet<string> | undefined;
  statuses: ReadonlySet<string> | undefined;
  /** Moments at which the days begin, in order. */
  dayStartsMs: readonly number[];
}

/** The most workflows and teams in a response. */
const listed = 20;
const fractions = [0.5, 0.9, 0.95, 0.99, 1];

/** Computes the figures of runs in three stages: all runs are added, then sorting is done in short steps, then the figures can be read. */
export class InsightCollector {
  readonly #filter: InsightFilter;
  readonly #dayStarts: Float64Array;
  /** By day; the first group has the runs before the first day. */
  readonly #days: Group[];
  #lastDay = 0;
  readonly #workflows = new Map<string, WorkflowGroup>();
  readonly #teams = new Map<string, Group & { teamId: string }>();
  readonly #statuses: Partial<Record<Status, number>> = {};
  readonly #queue = new NumberParts();
  readonly #hasTeams: boolean;

  /** @param hasTeams whether the figures of teams are needed */
  constructor(filter: InsightFilter, hasTeams: boolean) {
    this.#filter = filter;
    this.#hasTeams = hasTeams;
    this.#dayStarts = Float64Array.from(filter.dayStartsMs);
    this.#days = Array.from({ length: filter.dayStartsMs.length + 1 }, newGroup);
  }

  add(packed: PackedRuns): void {
    const groups = packed.workflowIds.map((workflowId) => this.#groupOf(packed.teamId, workflowId));
    const team = this.#hasTeams ? found(this.#teams, packed.teamId, () => ({ ...newGroup(), teamId: packed.teamId })) : undefined;
    forEachRun(packed, (run) => {
      const group = groups[run.workflow];
      if (group === undefined || !this.#isWanted(run)) return;
      this.#statuses[run.status] = (this.#statuses[run.status] ?? 0) + 1;
      if (!Number.isNaN(run.queuedMs)) this.#queue.add(run.queuedMs);
      addTo(this.#dayOf(run.createdMs), run);
      addTo(group, run);
      if (team !== undefined) addTo(team, run);
    });
  }

  /** Undefined if the filter excludes the workflow. */
  #groupOf(teamId: string, workflowId: string): WorkflowGroup | undefined {
    if (this.#filter.workflowIds?.has(workflowId) === false) return undefined;
    return found(this.#workflows, workflowId, () => ({ ...newGroup(), teamId, workflowId }));
  }

  /** Runs arrive almost in order of time, so it is usually the same day as for the last run. */
  #dayOf(createdMs: number): Group {
    const starts = this.#dayStarts;
    const isLast = !(createdMs < starts[this.#lastDay - 1]!) && !(createdMs >= starts[this.#lastDay]!);
    if (!isLast) this.#lastDay = placeAfter(starts, createdMs);
    return this.#days[this.#lastDay]!;
  }

  #isWanted({ createdMs, status }: InsightRun): boolean {
    const { fromMs, toMs, statuses } = this.#filter;
    return createdMs >= fromMs && createdMs < toMs && (statuses === undefined || statuses.has(status));
  }

  *sorting(): Generator<void> {
    yield* this.#queue.sorting();
    const groups = [...this.#days, ...this.#topWorkflows(), ...this.#topTeams()];
    for (const { durations } of groups) yield* durations.sorting();
  }

  figures(): AllFigures {
    const days = this.#days.map((day) => (day.total === 0 ? undefined : figuresOf(day)));
    return {
      all: this.#all(),
      days: days.slice(1),
      workflows: this.#topWorkflows().map((group) => ({ ...figuresOf(group), teamId: group.teamId, workflowId: group.workflowId })),
      teams: this.#topTeams().map((group) => ({ ...figuresOf(group), teamId: group.teamId })),
      statuses: this.#statuses,
      queueMs: percentiles(this.#queue.sorted),
    };
  }

  #topWorkflows = () => topOf([...this.#workflows.values()], ({ workflowId }) => workflowId);
  #topTeams = () => topOf([...this.#teams.values()], ({ teamId }) => teamId);

  #all(): InsightFigures {
    const sum = (number: (group: Group) => number) => this.#days.reduce((total, group) => total + number(group), 0);
    return {
      total: sum(({ total }) => total),
      succeeded: sum(({ succeeded }) => succeeded),
      failed: sum(({ failed }) => failed),
      running: sum(({ running }) => running),
      totalMs: sum(({ totalMs }) => totalMs),
      percentilesMs: percentiles(this.#days.flatMap(({ durations }) => durations.sorted)),
    };
  }
}

interface Group {
  total: number;
  succeeded: number;
  failed: number;
  running: number;
  totalMs: number;
  durations: NumberParts;
}

interface WorkflowGroup extends Group {
  teamId: string;
  workflowId: string;
}

const newGroup = (): Group => ({ total: 0, succeeded: 0, failed: 0, running: 0, totalMs: 0, durations: new NumberParts() });

function addTo(group: Group, { status, isRunning, durationMs }: InsightRun): void {
  group.total++;
  if (status === "succeeded") group.succeeded++;
  if (status === "failed" || status === "timedout" || status === "invalid") group.failed++;
  if (isRunning) group.running++;
  if (Number.isNaN(durationMs)) return;
  group.totalMs += durationMs;
  group.durations.add(durationMs);
}

function found<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function figuresOf({ durations, total, succeeded, failed, running, totalMs }: Group): InsightFigures {
  return { total, succeeded, failed, running, totalMs, percentilesMs: percentiles(durations.sorted) };
}

const percentiles = (parts: readonly Float64Array[]) => fractions.map((fraction) => percentileOf(parts, fraction));

function topOf<Item extends Group>(groups: Item[], id: (group: Item) => string): Item[] {
  return groups
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || (id(a) < id(b) ? -1 : 1))
    .slice(0, listed);
}
