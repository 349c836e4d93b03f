import { ref } from "@millrace/contract/schema.ts";
import { definitionTypes } from "@millrace/contract/status.ts";
import { taskResponsePage, taskStatuses } from "@millrace/contract/task/task.ts";
import Type, { type Static } from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { countTasks, type ListedTask, listTasks, type TaskQuery, type TaskRow } from "../../store/task/tasks.ts";
import { findTeamReference } from "../../store/team/directory.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { labels, list, listOf, pageParameters, search, sort, teamPath, toLabelFilter } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewTask } from "./task.view.ts";

const query = Type.Object({
  sort,
  ...pageParameters,
  labels,
  statuses: listOf(taskStatuses, "Default all"),
  names: list("Names or IDs; default all"),
  types: listOf(definitionTypes, "Default all"),
  category: Type.Optional(Type.String({ maxLength: 256, description: "Default all" })),
  search: search("the name, the display name or the description"),
  teams: list("Names or IDs of teams whose tasks are searched instead, as far as you can read them"),
});

const shared = {
  method: "GET",
  description: "A page of the latest versions, by date of creation. A page larger than 32 MiB is refused: use a smaller limit.",
  transaction: "read",
  query,
  response: ref(taskResponsePage),
} as const;

export const queryTeamTasks = defineEndpoint({
  ...shared,
  path: "/api/v2/team/:team/task/query",
  summary: "Find tasks of the team",
  tag: "Team tasks",
  permission: "task/read",
  params: teamPath,
  handle: ({ db, team, query, principal }) => find(db, principal, query, [team.id]),
});

export const queryGlobalTasks = defineEndpoint({
  ...shared,
  path: "/api/v2/task/query",
  summary: "Find global tasks",
  tag: "Global tasks",
  permission: "signed-in",
  handle: ({ db, query, principal }) => find(db, principal, query, null),
});

const maxPageBytes = 32 * 1024 * 1024;

async function find(db: Queryable, principal: Principal, wanted: Static<typeof query>, own: string[] | null) {
  const { limit, page, sort: order, statuses, names, teams } = wanted;
  const filter: TaskQuery = {
    teamIds: teams?.length ? await readableTeams(db, principal, teams) : own,
    labels: toLabelFilter(wanted.labels),
    statuses: statuses?.length ? statuses : taskStatuses,
    names: names?.length ? names : undefined,
    types: wanted.types,
    category: wanted.category,
    search: wanted.search,
    order,
    limit,
    offset: page * limit,
  };
  const total = await countTasks(db, filter);
  const views = (await listTasks(db, filter, maxPageBytes)).map((task) => viewTask(complete(task)));
  return viewPage(views, { limit, page, total, sorted: true });
}

/** Teams that the caller may not read count as missing. */
async function readableTeams(db: Queryable, principal: Principal, refs: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const nameOrId of new Set(refs)) {
    const team = await findTeamReference(db, nameOrId);
    if (team !== undefined && allows(principal, "task/read", team.id)) ids.push(team.id);
  }
  return ids;
}

function complete(task: ListedTask): TaskRow {
  if (task.spec !== null) return { ...task, spec: task.spec };
  throw new AppError("QUERY_INVALID_FILTERS", ["limit", `the page would be larger than ${maxPageBytes} bytes; ask for fewer tasks`]);
}
