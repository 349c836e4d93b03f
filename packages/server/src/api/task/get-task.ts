import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task/task.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTask, findTaskVersion, listTaskChanges as list } from "../../store/task/tasks.ts";
import { type Context, defineEndpoint, type Reply } from "../endpoint.ts";
import { answerTask, taskMediaTypes, taskPath, taskVersionParameter, teamTaskPath, wantedFormat } from "./answer-task.ts";
import { viewTaskChange } from "./task.view.ts";

const reading = {
  method: "GET",
  description:
    "As the resource, or with `Accept: application/x-yaml` as its definition document. Secrets are empty. Use the ETag as If-Match of a write.",
  transaction: "read",
  produces: [...taskMediaTypes],
  query: Type.Object({ version: taskVersionParameter }),
  response: ref(task),
} as const;

export const getTeamTask = defineEndpoint({
  ...reading,
  path: "/api/v2/team/:team/task/:name",
  summary: "Read a task of the team",
  tag: "Team tasks",
  permission: "task/read",
  params: teamTaskPath,
  handle: (context) => getFrom(context.team.id, context),
});

export const getGlobalTask = defineEndpoint({
  ...reading,
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

const listing = {
  method: "GET",
  summary: "List who changed a task, when and why, version by version",
  transaction: "read",
  response: Type.Array(ref(changeLogVersion)),
} as const;

export const listTeamTaskChanges = defineEndpoint({
  ...listing,
  path: "/api/v2/team/:team/task/:name/changelog",
  tag: "Team tasks",
  permission: "task/read",
  params: teamTaskPath,
  handle: ({ db, team, params }) => listFrom(db, team.id, params.name),
});

export const listGlobalTaskChanges = defineEndpoint({
  ...listing,
  path: "/api/v2/task/:name/changelog",
  tag: "Global tasks",
  permission: "signed-in",
  params: taskPath,
  handle: ({ db, params }) => listFrom(db, null, params.name),
});

async function listFrom(db: Queryable, teamId: string | null, name: string) {
  const changes = await list(db, { teamId, ref: name });
  if (changes === undefined) throw new AppError("TASK_INVALID_REFERENCE", [name]);
  return changes.map((change) => ({ ...viewTaskChange(change), version: change.version }));
}
