import { ref } from "@millrace/contract/schema.ts";
import { taskDefinition } from "@millrace/contract/task/task-definition.ts";
import { checkTaskName, prepareTask } from "../../domain/task/prepare-task.ts";
import { defineEndpoint, type Reply, reply, type TeamScope } from "../endpoint.ts";
import { teamPath } from "../request-parameters.ts";
import { warningHeader } from "./answer-task.ts";
import { readTaskBody, type TaskBody, type TaskSaver, taskOptIns } from "./read-task-body.ts";

const shared = {
  method: "POST",
  summary: "Check a task-definition document without storing it",
  description:
    "The document is a Task or a StepAction; `POST /api/v2/team/{team}/workflow/validate` checks a Pipeline. An empty response if it can be " +
    "saved. Otherwise a 400 whose `errors` say what is wrong, with line and column. The header `Warning` names likely mistakes that don't " +
    "prevent saving.",
  transaction: "none",
  isNoChange: true,
  consumes: ["application/x-yaml"],
  body: ref(taskDefinition),
  response: null,
} as const;

export const validateTeamTask = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task/validate",
  tag: "Team tasks",
  permission: "task/read",
  params: teamPath,
  handle: (context) => validate(context, context.team),
});

export const validateGlobalTask = defineEndpoint({
  ...shared,
  path: "/api/v2/task/validate",
  tag: "Global tasks",
  permission: "signed-in",
  handle: (context) => validate(context, null),
});

async function validate(context: TaskBody & Pick<TaskSaver, "db" | "services">, team: TeamScope | null): Promise<Reply> {
  const written = readTaskBody(context)();
  checkTaskName(written.content.name);
  const saving = { teamId: team?.id ?? null, sealer: () => () => "", ...(await taskOptIns(team, context)) };
  const { warnings } = await prepareTask(context.db, written, saving);
  return reply({ headers: warningHeader(warnings) });
}
