import { taskRun } from "@millrace/contract/task-run.ts";
import Type from "typebox";
import { missingHistory } from "../../domain/history/removed-history.ts";
import { findRun } from "../../store/run/runs.ts";
import { findTaskRun, listTaskRuns } from "../../store/run/task-runs.ts";
import { isId } from "../../store/team/directory.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter } from "../team-path.ts";
import { viewTaskRuns } from "./load-run.ts";
import { Siblings } from "./wait.view.ts";

export const getTaskRun = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/taskrun/:taskRunId",
  summary: "Read a task run with its attempts",
  tag: "Task runs",
  permission: "taskrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: Type.Object({ team: teamParameter, taskRunId: Type.String({ description: "ID of the task run" }) }),
  response: taskRun,
  async handle({ db, team, params, principal, services }) {
    const row = isId(params.taskRunId) ? await findTaskRun(db, team.id, params.taskRunId) : undefined;
    const run = row && (await findRun(db, team.id, row.runId));
    const isForeign = principal.workflowId !== undefined && run?.workflowId !== principal.workflowId;
    if (!row || !run || isForeign) throw await missingHistory(db, "TASKRUN_INVALID_REFERENCE", params.taskRunId, team.id);
    const waitsForOthers = row.status === "notstarted" || row.waitKind === "items";
    const siblings = waitsForOthers ? new Siblings(await listTaskRuns(db, team.id, run.id)) : undefined;
    const [view] = await viewTaskRuns(db, services.runs, team.id, [row], () => run, siblings);
    return view;
  },
});
