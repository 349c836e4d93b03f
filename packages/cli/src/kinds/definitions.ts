import { ApiError } from "@millrace/client/api-error.ts";
import type { Schemas } from "@millrace/client/client.ts";
import { type Kind, teamOf } from "./kind.ts";

/** Objects with versions: workflows, tasks and templates. */

const setByService = ["id", "creationDate", "version", "changelog", "warnings", "upgradesAvailable", "latestRuns", "verified"];

export const workflowKind: Kind<Schemas["Workflow"]> = {
  name: "workflow",
  plural: "workflows",
  documentKind: "Workflow",
  ownMembers: setByService,
  place: "team",
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "VERSION", value: ({ version }) => version ?? "" },
    { header: "STATUS", value: ({ status }) => status ?? "", isStatus: true },
    { header: "LAST RUN", value: ({ latestRuns }) => latestRuns?.[0]?.status, isStatus: true },
    { header: "DESCRIPTION", value: ({ description }) => description ?? "", canBeCut: true },
  ],
  nameOf: ({ name }) => name,
  list: async (scope, query) => {
    const ask = (withRuns: number | undefined) =>
      scope.connection.client.get("/api/v2/team/{team}/workflow/query", {
        params: { path: { team: teamOf(scope) }, query: { ...query, sortBy: "name", withTasks: false, withRuns } },
      });
    // Reading runs needs a permission of its own.
    return ask(1).catch((error) => (error instanceof ApiError && error.status === 403 ? ask(undefined) : Promise.reject(error)));
  },
  get: (scope, name) =>
    scope.connection.client.get("/api/v2/team/{team}/workflow/{workflow}", {
      params: { path: { team: teamOf(scope), workflow: name } },
      headers: { accept: "application/json" },
    }),
  toDocument: (scope, { name }) =>
    scope.connection.client.get("/api/v2/team/{team}/workflow/{workflow}/export", {
      params: { path: { team: teamOf(scope), workflow: name } },
      headers: { accept: "application/json" },
    }),
  remove: (scope, name) =>
    scope.connection.client.delete("/api/v2/team/{team}/workflow/{workflow}", {
      params: { path: { team: teamOf(scope), workflow: name } },
    }),
};

export const taskKind: Kind<Schemas["Task"]> = {
  name: "task",
  plural: "tasks",
  documentKind: "Task",
  place: "both",
  columns: [
    { header: "NAME", value: ({ name }) => name ?? "" },
    { header: "VERSION", value: ({ version }) => version ?? "" },
    { header: "TYPE", value: ({ type }) => type ?? "" },
    { header: "STATUS", value: ({ status }) => status ?? "", isStatus: true },
    { header: "DESCRIPTION", value: ({ description }) => description ?? "", canBeCut: true },
  ],
  nameOf: ({ name }) => name ?? "",
  list: ({ connection: { client }, team }, query) =>
    team === undefined
      ? client.get("/api/v2/task/query", { params: { query: { ...query, sort: "ASC" } } })
      : client.get("/api/v2/team/{team}/task/query", { params: { path: { team }, query: { ...query, sort: "ASC" } } }),
  get: ({ connection: { client }, team }, name) => {
    const headers = { accept: "application/json" };
    return team === undefined
      ? client.get("/api/v2/task/{name}", { params: { path: { name } }, headers })
      : client.get("/api/v2/team/{team}/task/{name}", { params: { path: { team, name } }, headers });
  },
  // In Tekton's format, with the comments it was saved with.
  toDocument: ({ connection: { client }, team }, { name }) => {
    const [headers, parseAs] = [{ accept: "application/x-yaml" }, "text"] as const;
    return team === undefined
      ? client.get("/api/v2/task/{name}", { params: { path: { name: name! } }, headers, parseAs })
      : client.get("/api/v2/team/{team}/task/{name}", { params: { path: { team, name: name! } }, headers, parseAs });
  },
  remove: (scope, name) =>
    scope.connection.client.delete("/api/v2/team/{team}/task/{name}", { params: { path: { team: teamOf(scope), name } } }),
};

export const templateKind: Kind<Schemas["WorkflowTemplate"]> = {
  name: "template",
  plural: "templates",
  documentKind: "WorkflowTemplate",
  ownMembers: setByService,
  place: "instance",
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "VERSION", value: ({ version }) => version ?? "" },
    { header: "DESCRIPTION", value: ({ description }) => description ?? "", canBeCut: true },
  ],
  nameOf: ({ name }) => name,
  list: ({ connection }, query) =>
    connection.client.get("/api/v2/workflowtemplate/query", { params: { query: { ...query, sort: "ASC" } } }),
  get: ({ connection }, name) => connection.client.get("/api/v2/workflowtemplate/{name}", { params: { path: { name } } }),
  remove: ({ connection }, name) => connection.client.delete("/api/v2/workflowtemplate/{name}", { params: { path: { name } } }),
};
