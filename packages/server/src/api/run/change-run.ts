import { runChange, workflowRun } from "@millrace/contract/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hasKeepLabel } from "../../core/history/retention.ts";
import { labelFaults, mergeLabels } from "../../core/workflow/labels.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { refuseFaults } from "../../domain/workflow/refuse-faults.ts";
import { isRunLeaving } from "../../store/history/history-removal.ts";
import { lockRunLabels, updateRunLabels } from "../../store/run/runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, reloadRun } from "./load-run.ts";
import { runPath } from "./run-path.ts";

export const changeRun = defineEndpoint({
  method: "PATCH",
  path: "/api/v2/team/:team/workflowrun/:runId",
  summary: "Change the labels of a run",
  description:
    "Also of a finished run. Retention never removes a run with the label `keep`, unless its value is `false`. 410 if its removal has started.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  body: runChange,
  response: workflowRun,
  async handle({ db, team, params, body, principal, services, audit, afterCommit }) {
    const { id, workflowName } = await getRunRow(db, team.id, params.runId, principal);
    // Before the run's lock, as the removal does.
    const isLeaving = await isRunLeaving(db, id);
    const before = await lockRunLabels(db, team.id, id);
    if (before === undefined) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [id, ""]);
    const labels = mergeLabels(before, body.labels);
    refuseFaults(labelFaults(labels));
    if (isLeaving && hasKeepLabel(labels)) throw new AppError("WORKFLOWRUN_BEING_REMOVED", [id]);
    await updateRunLabels(db, team.id, id, labels);
    audit({ kind: "workflowrun", id, name: workflowName, before: { labels: before }, after: { labels } });
    afterCommit(() => services.bus.wake(channels.runs, id));
    return reloadRun(db, services.runs, team.id, id);
  },
});
