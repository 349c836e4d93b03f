import type { Schemas } from "@millrace/client/client.ts";
import { formatDate } from "../output/format-time.ts";
import { isId, type Kind, onlyOne, pageOf, teamOf } from "./kind.ts";

/** Settings related to workflows: schedules, parameters and subscriptions. */

export const scheduleKind: Kind<Schemas["WorkflowSchedule"]> = {
  name: "schedule",
  plural: "schedules",
  documentKind: "Schedule",
  ownMembers: [
    ...["id", "creationDate", "workflowDisplayName", "statusMessage", "waitingFor", "nextScheduleDate", "lastScheduleDate", "lastRunRef"],
  ],
  place: "team",
  columns: [
    { header: "ID", value: ({ id }) => id ?? "" },
    { header: "NAME", value: ({ name }) => name ?? "" },
    { header: "WORKFLOW", value: ({ workflowRef }) => workflowRef ?? "" },
    { header: "STATUS", value: ({ status }) => status ?? "", isStatus: true },
    { header: "TIMES", value: ({ cronSchedule, dateSchedule }) => cronSchedule ?? formatDate(dateSchedule) },
    { header: "TIME ZONE", value: ({ timezone }) => timezone ?? "" },
    { header: "NEXT RUN", value: ({ nextScheduleDate }) => formatDate(nextScheduleDate) },
  ],
  nameOf: ({ id }) => id ?? "",
  list: (scope, query) => {
    const { labels: _, ...rest } = query;
    return scope.connection.client.get("/api/v2/team/{team}/schedule/query", { params: { path: { team: teamOf(scope) }, query: rest } });
  },
  get: async (scope, name) => {
    const { client } = scope.connection;
    const path = { team: teamOf(scope) };
    if (isId(name)) return client.get("/api/v2/team/{team}/schedule/{scheduleId}", { params: { path: { ...path, scheduleId: name } } });
    const query = { search: name, limit: 1000, page: 0 };
    const { content } = await client.get("/api/v2/team/{team}/schedule/query", { params: { path, query } });
    return onlyOne(
      content.filter((schedule) => schedule.name === name),
      "schedule",
      name,
    );
  },
  remove: async (scope, name) => {
    const { id } = await scheduleKind.get(scope, name);
    const path = { team: teamOf(scope), scheduleId: id! };
    return scope.connection.client.delete("/api/v2/team/{team}/schedule/{scheduleId}", { params: { path } });
  },
};

export const parameterKind: Kind<Schemas["AbstractParam"]> = {
  name: "parameter",
  plural: "parameters",
  documentKind: "Parameter",
  place: "both",
  columns: [
    { header: "NAME", value: ({ name }) => name },
    { header: "TYPE", value: ({ type }) => type ?? "" },
    { header: "VALUE", value: (parameter) => shownValue(parameter), canBeCut: true },
    { header: "DESCRIPTION", value: ({ description }) => description ?? "", canBeCut: true },
  ],
  nameOf: ({ name }) => name,
  list: async ({ connection: { client }, team }, query) => {
    const all = async (of: string) => (await client.get("/api/v2/team/{team}", { params: { path: { team: of } } })).parameters;
    return pageOf(team === undefined ? await client.get("/api/v2/parameters") : await all(team), parameterKind.nameOf, query);
  },
  get: async (scope, name) => {
    const { content } = await parameterKind.list(scope, { limit: Number.POSITIVE_INFINITY, page: 0 });
    return onlyOne(
      content.filter((one) => one.name === name),
      "parameter",
      name,
    );
  },
  remove: ({ connection: { client }, team }, name) =>
    team === undefined
      ? client.delete("/api/v2/parameters/{name}", { params: { path: { name } } })
      : client.delete("/api/v2/team/{team}/parameters/{name}", { params: { path: { team, name } } }),
};

function shownValue({ hiddenValue, value, type }: Schemas["AbstractParam"]): string {
  if (hiddenValue || type === "password") return "(hidden)";
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

export const subscriptionKind: Kind<Schemas["Subscription"]> = {
  name: "subscription",
  plural: "subscriptions",
  documentKind: "Subscription",
  ownMembers: ["id", "statusMessage", "secret", "hiddenValue", "oldSecretUntil", "creationDate", "changeDate"],
  place: "both",
  columns: [
    { header: "ID", value: ({ id }) => id },
    { header: "NAME", value: ({ name }) => name },
    { header: "CHANNEL", value: ({ channel }) => channel },
    { header: "STATUS", value: ({ isActive }) => (isActive ? "active" : "inactive"), isStatus: true },
    { header: "MESSAGE", value: ({ statusMessage }) => statusMessage, canBeCut: true },
  ],
  nameOf: ({ name }) => name,
  list: ({ connection: { client }, team }, { limit, page }) => {
    const query = { limit, page };
    return team === undefined
      ? client.get("/api/v2/subscription/query", { params: { query } })
      : client.get("/api/v2/team/{team}/subscription/query", { params: { path: { team }, query } });
  },
  get: ({ connection: { client }, team }, subscription) =>
    team === undefined
      ? client.get("/api/v2/subscription/{subscription}", { params: { path: { subscription } } })
      : client.get("/api/v2/team/{team}/subscription/{subscription}", { params: { path: { team, subscription } } }),
  remove: ({ connection: { client }, team }, subscription) =>
    team === undefined
      ? client.delete("/api/v2/subscription/{subscription}", { params: { path: { subscription } } })
      : client.delete("/api/v2/team/{team}/subscription/{subscription}", { params: { path: { team, subscription } } }),
};
