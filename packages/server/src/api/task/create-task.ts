import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task.ts";
import { createTask as create } from "../../domain/task/create-task.ts";
import type { Transaction } from "../../store/database/database.ts";
import { type Context, defineEndpoint, type Reply, type TeamScope } from "../endpoint.ts";
import { presentTask } from "../present-body.ts";
import { teamPath } from "../team-path.ts";
import { answerTask, wantedFormat } from "./answer-task.ts";
import { readTaskBody } from "./read-task-body.ts";
import { saveTaskContext } from "./save-context.ts";
import { auditedTask } from "./task.view.ts";
import { taskMediaTypes } from "./task-path.ts";

const shared = {
  method: "POST",
  description:
    "The body is the resource, or a definition document (YAML). A name has letters, digits and hyphens, and is unique among the tasks of " +
    "the team, or among the global ones. A task of a team can have the name of a global task.",
  permission: "task/write",
  transaction: "write",
  consumes: [...taskMediaTypes],
  produces: [...taskMediaTypes],
  body: ref(task),
  presentBody: presentTask,
  response: ref(task),
} as const;

export const createTeamTask = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task",
  summary: "Create a task of the team",
  tag: "Team tasks",
  params: teamPath,
  handle: (context) => createIn(context.team, context),
});

export const createGlobalTask = defineEndpoint({
  ...shared,
  path: "/api/v2/task",
  summary: "Create a global task",
  tag: "Global tasks",
  handle: (context) => createIn(null, context),
});

async function createIn(team: TeamScope | null, context: Context<unknown, unknown, unknown, Transaction>): Promise<Reply> {
  const { db, headers, audit } = context;
  const format = wantedFormat(headers);
  const written = readTaskBody(context)();
  const { task, warnings } = await create(db, await saveTaskContext(team, context), written);
  audit({ kind: "task", id: task.id, name: task.name, after: auditedTask(task) });
  return answerTask(db, task, format, warnings);
}
