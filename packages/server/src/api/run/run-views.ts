import { type RunView, type RunViewRequest, runView, runViewRequest, runViews } from "@millrace/contract/run/run-view.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { mayChangeTeamViews } from "../../policy/teams.ts";
import type { Transaction } from "../../store/database/database.ts";
import { isUniqueViolation } from "../../store/database/database-error.ts";
import {
  countViewsLocked,
  deleteDefaultView,
  deleteView,
  insertView,
  listViews,
  lockView,
  type RunViewRow,
  setDefaultView,
  updateView,
} from "../../store/run/lists/run-views.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { teamParameter, teamPath } from "../request-parameters.ts";

const mostViews = 50;
const path = "/api/v2/team/:team/workflowrun/view";
const shared = { tag: "Runs", permission: "workflowrun/read", params: teamPath } as const;
const viewPath = Type.Object({ team: teamParameter, viewId: Type.String({ description: "ID of the view" }) });

export const listRunViews = defineEndpoint({
  ...shared,
  method: "GET",
  path,
  summary: "List saved views of the list of runs",
  transaction: "read",
  response: ref(runViews),
  async handle({ db, team, principal }) {
    return { views: (await listViews(db, team.id, principal.id)).map((row) => view(row, team.id, principal)) };
  },
});

export const addRunView = defineEndpoint({
  ...shared,
  method: "POST",
  path,
  summary: "Save a view of the list of runs",
  description: `For yourself, or for the team, which needs workflow/write. There can be ${mostViews} of each. 409 if there is one with this name.`,
  transaction: "write",
  body: ref(runViewRequest),
  response: ref(runView),
  async handle({ db, team, body, principal, audit }) {
    const wanted = readRequest(body, team.id, principal);
    await refuseTooMany(db, team.id, wanted.owner);
    const row = await refuseDouble(wanted.name, () => insertView(db, { teamId: team.id, ...wanted, by: principal }));
    audit({ kind: "runview", id: row.id, name: row.name, after: body });
    return view(row, team.id, principal);
  },
});

export const changeRunView = defineEndpoint({
  ...shared,
  method: "PUT",
  path: `${path}/:viewId`,
  summary: "Change a saved view of the list of runs",
  transaction: "write",
  params: viewPath,
  body: ref(runViewRequest),
  response: ref(runView),
  async handle({ db, team, params, body, principal, audit }) {
    const before = await getChangeable(db, team.id, params.viewId, principal);
    const wanted = readRequest(body, team.id, principal);
    if (wanted.owner !== before.owner) await refuseTooMany(db, team.id, wanted.owner);
    const row = await refuseDouble(wanted.name, () => updateView(db, team.id, principal.id, { id: before.id, ...wanted }));
    audit({ kind: "runview", id: row.id, name: row.name, before: { name: before.name, ...before.document }, after: body });
    return view(row, team.id, principal);
  },
});

export const deleteRunView = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: `${path}/:viewId`,
  summary: "Delete a saved view of the list of runs",
  transaction: "write",
  params: viewPath,
  response: null,
  async handle({ db, team, params, principal, audit }) {
    const { id, name } = await getChangeable(db, team.id, params.viewId, principal);
    await deleteView(db, team.id, id);
    audit({ kind: "runview", id, name });
  },
});

const defaultShared = { ...shared, path: `${path}/:viewId/default`, transaction: "write", params: viewPath, response: null } as const;

export const setDefaultRunView = defineEndpoint({
  ...defaultShared,
  method: "PUT",
  summary: "Open the page of runs with a saved view",
  description: "For you alone, where no filter is given. It replaces your default view.",
  async handle({ db, team, params, principal, audit }) {
    const { id, name } = await getVisible(db, team.id, params.viewId, principal);
    await setDefaultView(db, team.id, principal.id, id);
    audit({ kind: "runview", id, name, after: { isDefault: true } });
  },
});

export const removeDefaultRunView = defineEndpoint({
  ...defaultShared,
  method: "DELETE",
  summary: "Stop opening the page of runs with a saved view",
  async handle({ db, team, params, principal, audit }) {
    const { id, name } = await getVisible(db, team.id, params.viewId, principal);
    await deleteDefaultView(db, team.id, principal.id, id);
    audit({ kind: "runview", id, name, after: { isDefault: false } });
  },
});

function readRequest({ name, scope, ...document }: RunViewRequest, teamId: string, principal: Principal) {
  if (scope === "team") refuseUnlessTeams(principal, teamId);
  if (name.trim() === "") throw new AppError("VALIDATION_FAILED", ["/name is blank: give the view a name"]);
  return { name: name.trim(), owner: scope === "team" ? null : principal.id, document };
}

function refuseUnlessTeams(principal: Principal, teamId: string): void {
  if (!mayChangeTeamViews(principal, teamId))
    throw new AppError("PERMISSION_DENIED", ["views of the team need the permission workflow/write; save it for yourself instead"]);
}

async function refuseTooMany(db: Transaction, teamId: string, owner: string | null): Promise<void> {
  if ((await countViewsLocked(db, teamId, owner)) < mostViews) return;
  throw new AppError("CONFLICT", [`There are ${mostViews} views already, which is the limit: delete one first`]);
}

async function refuseDouble(name: string, write: () => Promise<RunViewRow>): Promise<RunViewRow> {
  return write().catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new AppError("CONFLICT", [`There is a view with the name ${JSON.stringify(name)} already`]);
    throw error;
  });
}

async function getVisible(db: Transaction, teamId: string, id: string, principal: Principal): Promise<RunViewRow> {
  const row = isId(id) ? await lockView(db, teamId, principal.id, id) : undefined;
  if (!row) throw new AppError("NOT_FOUND", [`view ${id}`]);
  return row;
}

async function getChangeable(db: Transaction, teamId: string, id: string, principal: Principal): Promise<RunViewRow> {
  const row = await getVisible(db, teamId, id, principal);
  if (row.owner === null) refuseUnlessTeams(principal, teamId);
  return row;
}

function view({ id, owner, name, document, creatorName, createdAt, isDefault }: RunViewRow, teamId: string, principal: Principal): RunView {
  return {
    ...document,
    ...{ id, name, scope: owner === null ? "team" : "own", createdByName: creatorName, creationDate: createdAt.toISOString() },
    mayChange: owner !== null || mayChangeTeamViews(principal, teamId),
    isDefault,
  };
}
