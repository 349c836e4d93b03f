import { ApiError } from "@millrace/client/api-error.ts";
import type { components } from "@millrace/client/schema.generated.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import { queryOptions } from "@tanstack/react-query";
import { t } from "../../../texts/frame.ts";
import { api, call, callWithTag, keptPageOf } from "../../client.ts";

/** The owner of tasks: the name of a team, or undefined for global tasks. */
export type TaskScope = string | undefined;

/** A task as the service returns it: members that the schema makes optional for writers are always present. */
export type Task = components["schemas"]["Task"] & { name: string; type: string; version: number; status: string };

/** An error, with its place in the document. */
export interface TaskFault {
  /** E.g. `/spec/steps/0/image`. */
  path: string;
  message: string;
  /** From 1; undefined if the service names no place. */
  line?: number;
  column?: number;
}

const word = (scope: TaskScope) => scope ?? "global";

/** All tasks of the scope, in their latest versions. */
export const tasksQuery = (scope: TaskScope) =>
  queryOptions({
    queryKey: ["tasks", word(scope)],
    queryFn: async () => (await call(queryTasks(scope))).content as Task[],
  });

export interface TaskFilter {
  search: string;
  /** Empty: all; the same for the next two. */
  category: string;
  type: string;
  status: string;
  /** From 0. */
  page: number;
}

export const tasksPageSize = 200;

/** A page of the matching tasks. */
export const taskListQuery = (scope: TaskScope, { search, category, type, status, page }: TaskFilter) =>
  queryOptions({
    queryKey: ["tasks", word(scope), "list", { search, category, type, status, page }],
    queryFn: async () => {
      const asked = {
        ...(search !== "" && { search }),
        ...(category !== "" && { category }),
        ...(type !== "" && { types: [type as TaskType] }),
        ...(status !== "" && { statuses: [status as "active"] }),
      };
      const { content, totalElements } = await call(queryTasks(scope, { limit: tasksPageSize, page, ...asked }));
      return { tasks: content as Task[], total: totalElements };
    },
    placeholderData: keptPageOf(word(scope)),
  });

interface TaskQuestion {
  limit: number;
  page: number;
  search?: string;
  category?: string;
  types?: TaskType[];
  statuses?: ("active" | "inactive")[];
}

function queryTasks(scope: TaskScope, question: TaskQuestion = { limit: 1000, page: 0 }) {
  const query = { sort: "ASC" as const, ...question };
  return scope === undefined
    ? api.GET("/api/v2/task/query", { params: { query } })
    : api.GET("/api/v2/team/{team}/task/query", { params: { path: { team: scope }, query } });
}

/** The task with the ETag for a write. @param version left out: the latest */
export const taskQuery = (scope: TaskScope, name: string, version?: number) =>
  queryOptions({
    queryKey: ["task", word(scope), name, version ?? "latest"],
    queryFn: () => readTask(scope, name, version),
  });

async function readTask(scope: TaskScope, name: string, version?: number) {
  const query = version === undefined ? {} : { version };
  const asText = { headers: { accept: "application/x-yaml" }, parseAs: "text" } as const;
  const { data: text, etag } = await callWithTag(
    scope === undefined
      ? api.GET("/api/v2/task/{name}", { params: { path: { name }, query }, ...asText })
      : api.GET("/api/v2/team/{team}/task/{name}", { params: { path: { team: scope, name }, query }, ...asText }),
  );
  const task = await call(
    scope === undefined
      ? api.GET("/api/v2/task/{name}", { params: { path: { name }, query } })
      : api.GET("/api/v2/team/{team}/task/{name}", { params: { path: { team: scope, name }, query } }),
  );
  return { task: task as Task, text, etag };
}

/** Who changed it, when and why; newest first. */
export const taskChangesQuery = (scope: TaskScope, name: string) =>
  queryOptions({
    queryKey: ["task", word(scope), name, "changes"],
    queryFn: async () => [...(await call(requestChanges(scope, name)))].sort((a, b) => b.version - a.version),
  });

function requestChanges(scope: TaskScope, name: string) {
  return scope === undefined
    ? api.GET("/api/v2/task/{name}/changelog", { params: { path: { name } } })
    : api.GET("/api/v2/team/{team}/task/{name}/changelog", { params: { path: { team: scope, name } } });
}

/** The names of the team's workflows that use the task. */
export const taskUsesQuery = (team: string, name: string) =>
  queryOptions({
    queryKey: ["workflows", team, "using", name],
    queryFn: async () => {
      const query = { limit: 1000, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflow/query", { params: { path: { team }, query } }));
      return content.flatMap((workflow) => {
        const versions = (workflow.tasks ?? []).filter((task) => task.taskRef === name).map((task) => task.taskVersion ?? 0);
        return versions.length === 0 ? [] : [{ name: workflow.name, displayName: workflow.displayName || workflow.name, versions }];
      });
    },
  });

export type ExternalWorker = components["schemas"]["ExternalWorker"];

/** The programs of the team that ask for this external task. No event reports when one comes or goes, so it is polled. */
export const externalWorkersQuery = (team: string, task: string) =>
  queryOptions({
    queryKey: ["external-workers", team, task],
    queryFn: async () =>
      (await call(api.GET("/api/v2/team/{team}/external/worker", { params: { path: { team }, query: { task } } }))).workers,
    refetchInterval: 10_000,
  });

/** Sends a document as written, including its comments, instead of the typed body. */
const asYaml = (text: string) => ({ body: {}, bodySerializer: () => text, headers: { "content-type": "application/x-yaml" } });

/** The errors for which the service would reject the document, and its warnings. */
export async function checkTask(scope: TaskScope, text: string): Promise<{ faults: TaskFault[]; warnings: string[] }> {
  const { response, error } =
    scope === undefined
      ? await api.POST("/api/v2/task/validate", { ...asYaml(text), body: text })
      : await api.POST("/api/v2/team/{team}/task/validate", { params: { path: { team: scope } }, ...asYaml(text), body: text });
  if (response.ok) return { faults: [], warnings: warningsOf(response.headers.get("warning")) };
  return { faults: faultsOf(error), warnings: [] };
}

/** Format: `299 - "…"`, separated by commas. */
function warningsOf(header: string | null): string[] {
  return [...(header ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}

interface Refusal {
  message?: string;
  reason?: string;
  errors?: { path: string; message: string }[];
}

/** The details of an error response; without details, one error for the whole document. */
export function faultsOf(refusal: unknown): TaskFault[] {
  const { errors, message = t("tasks.serverRejectedRequest") } = (refusal ?? {}) as Refusal;
  return (errors?.length ? errors : [{ path: "", message }]).map(({ path, message: told }) => {
    const [, line, column, rest] = /^line (\d+), column (\d+): ([\s\S]*)$/.exec(told) ?? [];
    return line === undefined ? { path, message: told } : { path, message: rest ?? "", line: Number(line), column: Number(column) };
  });
}

export interface SaveTask {
  scope: TaskScope;
  name: string;
  /** The definition document. */
  text: string;
  /** The reason for the change log. */
  reason?: string;
  /** The ETag of the version that was read; if someone else has saved since, the request is rejected. */
  etag?: string | undefined;
  /** Overwrites the latest version instead of creating a new one. */
  replace?: boolean;
}

/** Saves a version. */
export function saveTask({ scope, name, text, reason, etag, replace }: SaveTask): Promise<unknown> {
  const query = { ...(replace && { replace }), ...(reason && { reason }) };
  const document = asYaml(text);
  const headers = { ...document.headers, ...(etag !== undefined && { "If-Match": etag }) };
  return call(
    scope === undefined
      ? api.PUT("/api/v2/task/{name}", { ...document, headers, params: { path: { name }, query } })
      : api.PUT("/api/v2/team/{team}/task/{name}", { ...document, headers, params: { path: { team: scope, name }, query } }),
  );
}

/** Creates a task from a document; doesn't overwrite an existing task of that name. */
export async function createTask(scope: TaskScope, text: string): Promise<Task> {
  return (await call(
    scope === undefined
      ? api.POST("/api/v2/task", asYaml(text))
      : api.POST("/api/v2/team/{team}/task", { ...asYaml(text), params: { path: { team: scope } } }),
  )) as Task;
}

/** Deletes a task of a team permanently. */
export function deleteTask(team: string, name: string): Promise<unknown> {
  return call(api.DELETE("/api/v2/team/{team}/task/{name}", { params: { path: { team, name } } }));
}

/** Whether someone else has saved in the meantime. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
