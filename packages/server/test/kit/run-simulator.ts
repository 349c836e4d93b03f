import type { FinalStatus } from "@millrace/contract/status.ts";
import { newTaskState, type RunState, type TaskState } from "../../src/core/run/run-state.ts";
import { compilePlan, type DocumentNode, type PlanTask, type Trial } from "../../src/core/workflow/plan.ts";
import { countedIds, InMemoryRun } from "../../src/core/workflow-test/in-memory-run.ts";
import { engineTaskTypes } from "../../src/tasks/registry.ts";

/**
 * Simulates a run in memory, for tests of the rules without a database. `end` ends the running attempt of an executor task; claims happen
 * immediately.
 */
export class RunSimulator extends InMemoryRun {
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
    const nested = nodes.filter((one) => one.workflow).map((one) => [one.name, { workflowId: "nested", version: 1 }] as const);
    const plan = compilePlan({ tasks: nodes }, findTask, trial, { inner: Object.fromEntries(nested) });
    const ids = countedIds(0);
    const state: RunState = {
      ...emptyRun,
      nodes: plan.nodes.map((node) => newTaskState(plan, node.index, ids())),
      items: new Map(),
      ...patch,
    };
    super(plan, state, engineTaskTypes, 1_000_000, ids);
  }

  start(): this {
    return this.send({ kind: "start", hasPlace: true });
  }

  /** Claims what is ready, as a worker would. */
  claim(name: string): TaskState {
    const task = this.task(name);
    if (task.status !== "ready") throw new Error(`${name} is ${task.status}, not ready`);
    return this.claimTask(task);
  }

  end(name: string, status: "succeeded" | "failed" | "invalid" | "timedout" = "succeeded", results: TaskState["results"] = []): this {
    const task = this.task(name).status === "ready" ? this.claim(name) : this.task(name);
    const reason = status === "succeeded" ? "Succeeded" : "ExitCode";
    return this.endAttempt(task, { status, reason, message: status, results: results ?? [] });
  }

  task(name: string): TaskState {
    const found = this.tasks().find((task) => task.name === name);
    if (!found) throw new Error(`no task run ${name}`);
    return found;
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(
      this.state.nodes.filter((task) => task.type !== "start" && task.type !== "end").map((task) => [task.name, task.status]),
    );
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

/** A node in short form: name, type, its dependencies (start by default), and other members. */
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

/** Adds a start before the nodes, and an end after those without a successor. */
export function workflow(...nodes: DocumentNode[]): DocumentNode[] {
  const used = new Set(nodes.flatMap((one) => (one.dependencies ?? []).map((dependency) => dependency.taskRef)));
  const last = nodes.filter((one) => !used.has(one.name)).map((one) => one.name);
  return [{ name: "start", type: "start" }, ...nodes, node("end", "end", last.length > 0 ? last : ["start"])];
}

export type { FinalStatus };
