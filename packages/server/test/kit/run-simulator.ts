import type { FinalStatus } from "@millrace/contract/status.ts";
import { advance, type RunEvent } from "../../src/core/run/advance.ts";
import { noFacts } from "../../src/core/run/facts.ts";
import type { RunChange } from "../../src/core/run/run-change.ts";
import { newTaskState, type RunState, type TaskState } from "../../src/core/run/run-state.ts";
import { compilePlan, type DocumentNode, type Plan, type PlanTask, type Trial } from "../../src/core/workflow/plan.ts";
import { engineTaskTypes } from "../../src/tasks/registry.ts";

/**
 * Plays a run in memory: the pure core with facts made up on the spot, for tests of the rules without a database.
 * `end` ends the running attempt of an executor task; claims happen at once.
 */
export class RunSimulator {
  readonly plan: Plan;
  state: RunState;
  now = 1_000_000;
  lastChange: RunChange | undefined;
  readonly locks = new Map<string, string>();
  readonly events = new Map<string, { status: "succeeded" | "failed"; payload: unknown }>();
  #ids = 0;

  constructor(nodes: DocumentNode[], patch: Partial<RunState> = {}, trial?: Trial) {
    const findTask = (node: DocumentNode): PlanTask => ({
      id: `task-${node.type}`,
      versionId: `version-${node.type}`,
      version: 1,
      name: node.taskRef ?? node.type,
      type: node.type,
      displayName: node.type,
      spec: {},
      annotations: {},
      isGlobal: true,
    });
    this.plan = compilePlan({ tasks: nodes }, findTask, trial);
    this.state = {
      ...emptyRun,
      nodes: this.plan.nodes.map((node) => newTaskState(this.plan, node.index, this.#id())),
      items: new Map(),
      ...patch,
    };
  }

  send(...events: RunEvent[]): this {
    const facts = noFacts();
    for (;;) {
      const { change, needs } = advance(this.plan, this.state, events, facts, engineTaskTypes, this.now);
      if (change) {
        this.lastChange = change;
        this.state = { ...change.after, stateVersion: change.before.stateVersion + 1 };
        return this;
      }
      while (needs.ids && facts.ids.length < needs.ids) facts.ids.push(this.#id());
      for (const id of needs.results ?? []) facts.results.set(id, []);
      if (needs.event !== undefined) facts.events.set(needs.event, this.events.get(needs.event) ?? null);
      if (needs.lock) facts.locks.set(needs.lock.key, this.#lock(needs.lock.key));
      if (needs.later) facts.later.set(needs.later.taskRunId, { scheduleId: this.#id() });
      if (needs.child) facts.children.set(needs.child.taskRunId, { runId: this.#id() });
    }
  }

  start(): this {
    return this.send({ kind: "start", hasPlace: true });
  }

  /** Claims what is ready, as a worker would. */
  claim(name: string): TaskState {
    const task = this.task(name);
    if (task.status !== "ready") throw new Error(`${name} is ${task.status}, not ready`);
    const claimed: TaskState = {
      ...task,
      status: "running",
      phase: "running",
      attempt: task.attempt + 1,
      workerId: "worker",
      startedAt: this.now,
    };
    if (task.item === null) this.state.nodes[task.node] = claimed;
    else this.state.items.get(task.node)?.put(claimed);
    return claimed;
  }

  end(name: string, status: "succeeded" | "failed" | "invalid" | "timedout" = "succeeded", results: TaskState["results"] = []): this {
    const task = this.task(name).status === "ready" ? this.claim(name) : this.task(name);
    const outcome = { status, reason: status === "succeeded" ? "Succeeded" : "ExitCode", message: status, results: results ?? [] };
    return this.send({ kind: "ended", taskRunId: task.id, attempt: task.attempt, outcome });
  }

  task(name: string): TaskState {
    const found = [...this.state.nodes, ...[...this.state.items.values()].flatMap((items) => [...items])].find(
      (task) => task.name === name,
    );
    if (!found) throw new Error(`no task run ${name}`);
    return found;
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(
      this.state.nodes.filter((task) => task.type !== "start" && task.type !== "end").map((task) => [task.name, task.status]),
    );
  }

  #lock(key: string): { held: true } | { held: false; holder: string } {
    const holder = this.locks.get(key) ?? this.state.id;
    this.locks.set(key, holder);
    return holder === this.state.id ? { held: true } : { held: false, holder };
  }

  #id(): string {
    this.#ids += 1;
    return `00000000-0000-7000-8000-${String(this.#ids).padStart(12, "0")}`;
  }
}

const emptyRun: RunState = {
  teamId: "team",
  id: "run",
  stateVersion: 1,
  status: "ready",
  phase: "pending",
  reason: null,
  statusMessage: null,
  statusOverride: null,
  trigger: "manual",
  workflowId: "workflow",
  workflowVersionId: "version",
  taskVersionIds: [],
  layers: { global: {}, team: {}, workflow: {}, context: {} },
  defaultImage: null,
  results: [],
  timeoutMinutes: null,
  maxActiveMinutes: null,
  activity: "none",
  activeSince: null,
  activeMs: 0,
  retries: 0,
  retryCount: 0,
  parentRunId: null,
  parentTaskRunId: null,
  depth: 0,
  lineage: [],
  traceparent: null,
  awaitingApproval: false,
  heldFor: null,
  warningCount: 0,
  startedAt: null,
  endedAt: null,
  dueAt: null,
  nodes: [],
  items: new Map(),
};

type Dependency = string | { from: string; on?: "always" | "success" | "failure"; when?: string };

/** A node in short: name, type, what it depends on (start when nothing is said), and whatever else. */
export function node(
  name: string,
  type: DocumentNode["type"],
  dependencies: Dependency[] = ["start"],
  more: Partial<DocumentNode> = {},
): DocumentNode {
  return {
    name,
    type,
    dependencies: dependencies.map((dependency) =>
      typeof dependency === "string"
        ? { taskRef: dependency }
        : {
            taskRef: dependency.from,
            executionCondition: dependency.on ?? "always",
            ...(dependency.when === undefined ? {} : { decisionCondition: dependency.when }),
          },
    ),
    ...more,
  };
}

/** Nodes with a start before them and an end behind those that lead nowhere. */
export function workflow(...nodes: DocumentNode[]): DocumentNode[] {
  const used = new Set(nodes.flatMap((one) => (one.dependencies ?? []).map((dependency) => dependency.taskRef)));
  const last = nodes.filter((one) => !used.has(one.name)).map((one) => one.name);
  return [{ name: "start", type: "start" }, ...nodes, node("end", "end", last.length > 0 ? last : ["start"])];
}

export type { FinalStatus };
