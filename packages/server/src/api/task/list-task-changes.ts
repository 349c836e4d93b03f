import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listTaskChanges as list } from "../../store/task/tasks.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewTaskChange } from "./task.view.ts";
import { taskPath, teamTaskPath } from "./task-path.ts";

const shared = {
  method: "GET",
  summary: "List who changed a task, when and why, version by version",
  transaction: "read",
  response: Type.Array(ref(changeLogVersion)),
} as const;

export const listTeamTaskChanges = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task/:name/changelog",
  tag: "Team tasks",
  permission: "task/read",
  params: teamTaskPath,
  handle: ({ db, team, params }) => listFrom(db, team.id, params.name),
});

export const listGlobalTaskChanges = defineEndpoint({
  ...shared,
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
