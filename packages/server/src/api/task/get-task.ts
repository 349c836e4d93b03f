import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTask, findTaskVersion } from "../../store/task/tasks.ts";
import { type Context, defineEndpoint, type Reply } from "../endpoint.ts";
import { answerTask, wantedFormat } from "./answer-task.ts";
import { taskMediaTypes, taskPath, taskVersionParameter, teamTaskPath } from "./task-path.ts";

const shared = {
  method: "GET",
  description:
    "As the resource, or with `Accept: application/x-yaml` as its definition document. Secrets are empty. Use the ETag as If-Match of a write.",
  transaction: "read",
  produces: [...taskMediaTypes],
  query: Type.Object({ version: taskVersionParameter }),
  response: ref(task),
} as const;

export const getTeamTask = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task/:name",
  summary: "Read a task of the team",
  tag: "Team tasks",
  permission: "task/read",
  params: teamTaskPath,
  handle: (context) => getFrom(context.team.id, context),
});

export const getGlobalTask = defineEndpoint({
  ...shared,
  path: "/api/v2/task/:name",
  summary: "Read a global task",
  tag: "Global tasks",
  permission: "signed-in",
  params: taskPath,
  handle: (context) => getFrom(null, context),
});

type GetContext = Context<{ name: string }, { version?: number }, unknown, Queryable>;

async function getFrom(teamId: string | null, { db, params, query, headers }: GetContext): Promise<Reply> {
  const format = wantedFormat(headers);
  const { version } = query;
  const wanted = { teamId, ref: params.name };
  const task = version === undefined ? await findTask(db, wanted) : await findTaskVersion(db, { ...wanted, version });
  if (task === undefined)
    throw new AppError("TASK_INVALID_REFERENCE", [version === undefined ? params.name : `${params.name} in version ${version}`]);
  return answerTask(db, task, format);
}
