import { runChange, type WorkflowRunRequest, workflowRun, workflowRunRequest } from "@millrace/contract/run/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { hasKeepLabel } from "../../core/history/retention.ts";
import { labelFaults, mergeLabels } from "../../core/workflow/labels.ts";
import { cancelRun as cancel, finalizeRun as finalize } from "../../domain/run/cancel-run.ts";
import { channels, publishChanges } from "../../domain/run/report-changes.ts";
import { startRun as start } from "../../domain/run/start-run.ts";
import { refuseFaults } from "../../domain/workflow/refuse-faults.ts";
import { isRunLeaving } from "../../store/history/history-removal.ts";
import { lockRunLabels, updateRunLabels } from "../../store/run/runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, reloadRun, runPath } from "./load-run.ts";

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
    // Before the run's lock, in the same order as the removal.
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

export const startRun = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflowrun/:runId/start",
  summary: "Start a queued run now",
  description:
    "Skips the queue if the team's quota of concurrent runs allows it (429 otherwise). The body overrides what the run was " +
    "submitted with: labels, annotations, parameters and workspaces by name. You then count as a person whose run it is in approvals. " +
    "A rerun keeps its parameters (400). 409 for a run that is not in the queue.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  body: workflowRunRequest,
  bodyOptional: true,
  response: workflowRun,
  async handle({ db, team, params, body, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const change = await start(db, services.runs, team.id, row, { ...((body ?? {}) as WorkflowRunRequest), by: principal.id });
    audit({ kind: "workflowrun", id: row.id, name: row.workflowName, after: { status: change.after.status } });
    afterCommit(() => publishChanges(services, [change]));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});

export const cancelRun = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflowrun/:runId/cancel",
  summary: "Cancel a run",
  description:
    "The run, its open task runs and its open actions are cancelled before the response; processes are ended right after. Runs that it " +
    "waits for are cancelled too. 409 for a finished run.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  response: workflowRun,
  async handle({ db, team, params, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const change = await cancel(db, services.runs, { teamId: team.id, runId: row.id, by: principal.name });
    audit({
      kind: "workflowrun",
      id: row.id,
      name: row.workflowName,
      before: { status: change.before.status },
      after: { status: "cancelled" },
    });
    afterCommit(() => publishChanges(services, [change]));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});

export const finalizeRun = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflowrun/:runId/finalize",
  summary: "Free the storage of a finished run",
  description: "Releases its workspaces; the run can't change any more. 409 for a run that is still open or already finalized.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  response: workflowRun,
  async handle({ db, team, params, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    await finalize(db, team.id, row);
    audit({ kind: "workflowrun", id: row.id, name: row.workflowName, before: { phase: row.phase }, after: { phase: "finalized" } });
    afterCommit(() => services.bus.wake(channels.runs, row.id));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});
