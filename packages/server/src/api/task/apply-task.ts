import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task.ts";
import Type from "typebox";
import { applyTask as apply } from "../../domain/task/apply-task.ts";
import type { WrittenTask } from "../../domain/task/prepare-task.ts";
import type { Transaction } from "../../store/database/database.ts";
import { type Context, defineEndpoint, type Reply, type TeamScope } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { presentTask } from "../present-body.ts";
import { answerTask, wantedFormat } from "./answer-task.ts";
import { readTaskBody } from "./read-task-body.ts";
import { saveTaskContext } from "./save-context.ts";
import { auditedTask, taskTag } from "./task.view.ts";
import { reasonParameter, replaceTaskParameter, taskMediaTypes, taskPath, teamTaskPath } from "./task-path.ts";

const shared = {
  method: "PUT",
  description:
    "The path names the task; a name in the body is ignored. Versioned content comes entirely from the body. Labels and annotations are " +
    "merged into the existing ones, the type can't be changed, and without a status the task is active. An inactive task can only be " +
    "changed by a body whose status is not inactive.",
  permission: "task/write",
  transaction: "write",
  headers: ifMatchHeader,
  consumes: [...taskMediaTypes],
  produces: [...taskMediaTypes],
  query: Type.Object({ replace: replaceTaskParameter, reason: reasonParameter }),
  body: ref(task),
  presentBody: presentTask,
  response: ref(task),
} as const;

export const applyTeamTask = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task/:name",
  summary: "Create a task of the team, or write a new version of it",
  tag: "Team tasks",
  params: teamTaskPath,
  handle: (context) => applyIn(context.team, context),
});

export const applyGlobalTask = defineEndpoint({
  ...shared,
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
