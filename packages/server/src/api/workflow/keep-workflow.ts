import { channels } from "../../domain/run/report-changes.ts";
import { archiveWorkflow as archive, restoreWorkflow as restore } from "../../domain/workflow/delete-workflow.ts";
import { requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { deleteFavourite, insertFavourite } from "../../store/workflow/favourites.ts";
import { defineEndpoint } from "../endpoint.ts";
import { favouritesOf, workflowPath } from "./workflow.view.ts";

/** Archiving workflows for everyone, and marking favourites. */

export const archiveWorkflow = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow/:workflow/archive",
  summary: "Archive a workflow",
  description:
    "It is kept with its versions, runs, schedules and tokens, and left out of lists. Nothing starts it and it can't be changed until it is " +
    "restored; its schedules stop. Open runs continue.",
  tag: "Workflows",
  permission: "workflow/delete",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, team, params, audit, auditNothing }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    if (!(await archive(db, team.id, workflow))) return auditNothing();
    const object = { kind: "workflow", id: workflow.id, name: workflow.name, before: { archived: false }, after: { archived: true } };
    audit({ ...object, action: "workflow/archive" });
  },
});

export const restoreWorkflow = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow/archive",
  summary: "Restore an archived workflow",
  description: "It gets the status that it had. Its schedules continue with their next times from now.",
  tag: "Workflows",
  permission: "workflow/delete",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, keyring, team, params, audit, auditNothing, afterCommit, services }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    if (!(await restore(db, { team, keyring }, workflow))) return auditNothing();
    const object = { kind: "workflow", id: workflow.id, name: workflow.name, before: { archived: true }, after: { archived: false } };
    audit({ ...object, action: "workflow/restore" });
    afterCommit(() => services.bus.wake(channels.schedules));
  },
});

export const addFavourite = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow/:workflow/favourite",
  summary: "Mark a workflow as one of your favourites",
  description: "Only you see it. A team can have up to 200 of your favourites; more are left out.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, team, params, principal, audit }) {
    const userId = favouritesOf(principal);
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    await insertFavourite(db, team.id, workflow.id, userId);
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, after: { favourite: true } });
  },
});

export const removeFavourite = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow/favourite",
  summary: "Remove a workflow from your favourites",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, team, params, principal, audit }) {
    const userId = favouritesOf(principal);
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    await deleteFavourite(db, team.id, workflow.id, userId);
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, after: { favourite: false } });
  },
});
