import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task/task.ts";
import Type from "typebox";
import type { WrittenTask } from "../../domain/task/prepare-task.ts";
import { applyTask as apply, createTask as create, deleteTask } from "../../domain/task/save-task.ts";
import type { Transaction } from "../../store/database/database.ts";
import { type Context, defineEndpoint, type Reply, type TeamScope } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { presentTask } from "../present-body.ts";
import { teamPath } from "../request-parameters.ts";
import { answerTask, reasonParameter, replaceTaskParameter, taskMediaTypes, taskPath, teamTaskPath, wantedFormat } from "./answer-task.ts";
import { isForeignYaml, readTaskBody, saveTaskContext } from "./read-task-body.ts";
import { auditedTask, taskTag } from "./task.view.ts";

const creating = {
  method: "POST",
  description:
    "The body is the resource, or a definition document (YAML). A name has letters, digits and hyphens, and is unique among the tasks of " +
    "the team, or among the global ones. A task of a team can have the name of a global task.",
  permission: "task/write",
  transaction: "write",
  consumes: [...taskMediaTypes],
  readsYaml: isForeignYaml,
  documentKinds: ["Task", "StepAction"],
  produces: [...taskMediaTypes],
  body: ref(task),
  presentBody: presentTask,
  response: ref(task),
} as const;

export const createTeamTask = defineEndpoint({
  ...creating,
  path: "/api/v2/team/:team/task",
  summary: "Create a task of the team",
  tag: "Team tasks",
  params: teamPath,
  handle: (context) => createIn(context.team, context),
});

export const createGlobalTask = defineEndpoint({
  ...creating,
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

const applying = {
  method: "PUT",
  description:
    "The path names the task; a name in the body is ignored. Versioned content comes entirely from the body. Labels and annotations are " +
    "merged into the existing ones, the type can't be changed, and without a status the task is active. An inactive task can only be " +
    "changed by a body whose status is not inactive.",
  permission: "task/write",
  transaction: "write",
  headers: ifMatchHeader,
  consumes: [...taskMediaTypes],
  readsYaml: isForeignYaml,
  documentKinds: ["Task", "StepAction"],
  produces: [...taskMediaTypes],
  query: Type.Object({ replace: replaceTaskParameter, reason: reasonParameter }),
  body: ref(task),
  presentBody: presentTask,
  response: ref(task),
} as const;

export const applyTeamTask = defineEndpoint({
  ...applying,
  path: "/api/v2/team/:team/task/:name",
  summary: "Create a task of the team, or write a new version of it",
  tag: "Team tasks",
  params: teamTaskPath,
  handle: (context) => applyIn(context.team, context),
});

export const applyGlobalTask = defineEndpoint({
  ...applying,
  path: "/api/v2/task/:name",
  summary: "Create a global task, or write a new version of it",
  tag: "Global tasks",
  params: taskPath,
  handle: (context) => applyIn(null, context),
});

type ApplyContext = Context<{ name: string }, { replace: boolean; reason?: string }, unknown, Transaction>;

async function applyIn(team: TeamScope | null, context: ApplyContext): Promise<Reply> {
  const { db, params, query, headers, audit } = context;
  const format = wantedFormat(headers);
  const { task, before, warnings } = await apply(db, await saveTaskContext(team, context), {
    ref: params.name,
    replace: query.replace,
    written: withReason(readTaskBody(context), query.reason),
    check: (present) => requireMatch(headers["if-match"], present && taskTag(present)),
  });
  audit({ kind: "task", id: task.id, name: task.name, before: before && auditedTask(before), after: auditedTask(task) });
  return answerTask(db, task, format, warnings);
}

function withReason(read: (name: string) => WrittenTask, reason: string | undefined): (name: string) => WrittenTask {
  if (!reason) return read;
  return (name) => {
    const written = read(name);
    return { ...written, content: { ...written.content, changeReason: reason } };
  };
}

export const deleteTeamTask = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/task/:name",
  summary: "Delete a task of the team",
  description: "409 if workflows use the task; the message names them. Runs keep what they were submitted with.",
  tag: "Team tasks",
  permission: "task/delete",
  transaction: "write",
  headers: ifMatchHeader,
  params: teamTaskPath,
  response: null,
  async handle({ db, team, params, headers, audit }) {
    const task = await deleteTask(db, team.id, params.name, (before) => requireMatch(headers["if-match"], taskTag(before)));
    audit({ kind: "task", id: task.id, name: task.name, before: auditedTask(task) });
  },
});
