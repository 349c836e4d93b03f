import { deleteTask } from "../../domain/task/delete-task.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { auditedTask, taskTag } from "./task.view.ts";
import { teamTaskPath } from "./task-path.ts";

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
