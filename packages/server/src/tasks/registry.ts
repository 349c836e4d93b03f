import type { EngineTaskType, TaskTypes } from "../core/task/task-type.ts";
import { approval, manual } from "./action-task.ts";
import { decision } from "./decision.ts";
import { eventWait } from "./event-wait.ts";
import { acquireLock, releaseLock } from "./lock.ts";
import { runScheduledWorkflow } from "./run-scheduled-workflow.ts";
import { runWorkflow } from "./run-workflow.ts";
import { setWorkflowProperty } from "./set-workflow-property.ts";
import { setWorkflowStatus } from "./set-workflow-status.ts";
import { sleep } from "./sleep.ts";

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
