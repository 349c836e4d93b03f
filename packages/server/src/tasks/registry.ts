import type { EngineTaskType, TaskTypes } from "../core/task/task-type.ts";
import { approval, manual } from "./action-task.ts";
import { decision, setWorkflowProperty, setWorkflowStatus } from "./immediate-tasks.ts";
import { acquireLock, releaseLock } from "./lock.ts";
import { runScheduledWorkflow, runWorkflow } from "./run-workflow.ts";
import { eventWait, sleep } from "./waits.ts";

/** Every type that the engine runs itself. A new one is a file and a line here. */
const all: EngineTaskType[] = [
  acquireLock,
  approval,
  decision,
  eventWait,
  manual,
  releaseLock,
  runScheduledWorkflow,
  runWorkflow,
  setWorkflowProperty,
  setWorkflowStatus,
  sleep,
];

export const engineTaskTypes: TaskTypes = new Map(all.map((type) => [type.type, type]));
