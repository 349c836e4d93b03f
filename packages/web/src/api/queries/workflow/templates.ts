import { ApiError } from "@millrace/client/api-error.ts";
import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { t } from "../../../texts/frame.ts";
import { api, call, callWithTag } from "../../client.ts";
import { faultsOf, type TaskFault } from "../task/tasks.ts";

export type Template = components["schemas"]["WorkflowTemplate"] & {
  version: number;
  changelog: { author?: string; date?: string; reason?: string };
};
type TemplateInput = components["schemas"]["WorkflowTemplate"];

export const templatesPageSize = 100;

/** A page of the matching templates, oldest first. */
export const templateListQuery = ({ search, page }: { search: string; page: number }) =>
  queryOptions({
    queryKey: ["templates", { search, page }],
    queryFn: async () => {
      const query = { limit: templatesPageSize, page, sort: "ASC" as const, ...(search !== "" && { search }) };
      const { content, totalElements } = await call(api.GET("/api/v2/workflowtemplate/query", { params: { query } }));
      return { templates: content as Template[], total: totalElements };
    },
    placeholderData: keepPreviousData,
  });

/** @param version left out: the latest */
export const templateQuery = (name: string, version?: number) =>
  queryOptions({
    queryKey: ["template", name, version ?? "latest"],
    queryFn: async () => {
      const query = version === undefined ? {} : { version };
      const { data, etag } = await callWithTag(api.GET("/api/v2/workflowtemplate/{name}", { params: { path: { name }, query } }));
      return { template: data as Template, etag };
    },
  });

/** Newest first. */
export const templateChangesQuery = (name: string) =>
  queryOptions({
    queryKey: ["template", name, "changes"],
    queryFn: async () => {
      const changes = await call(api.GET("/api/v2/workflowtemplate/{name}/changelog", { params: { path: { name } } }));
      return [...changes].sort((a, b) => b.version - a.version);
    },
  });

/** The workflows of a team from which a template can be created. */
export const templateSourcesQuery = (team: string) =>
  queryOptions({
    queryKey: ["workflows", team, "names"],
    queryFn: async () => {
      const query = { limit: 1000, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflow/query", { params: { path: { team }, query } }));
      return content.map(({ name, displayName }) => ({ name, displayName: displayName || name }));
    },
    enabled: team !== "",
  });

/** A workflow as it is stored, to create a template from it. */
export function readWorkflow(team: string, workflow: string): Promise<unknown> {
  return call(api.GET("/api/v2/team/{team}/workflow/{workflow}", { params: { path: { team, workflow } } }));
}

/** The errors of the service with their places in the document. */
export class TemplateRefusal extends ApiError {
  readonly faults: TaskFault[];
  constructor(status: number, body: { reason?: string; message?: string }) {
    super(status, body.reason ?? "UNKNOWN", body.message ?? t("templates.serverReturned", { status: String(status) }));
    this.faults = faultsOf(body);
  }
}

/**
 * Saves a version, or creates a template. @param etag of the version that was read; left out: creates a template without overwriting one
 */
export async function saveTemplate(template: TemplateInput, etag: string | undefined): Promise<Template> {
  const { data, error, response } =
    etag === undefined
      ? await api.POST("/api/v2/workflowtemplate", { body: template })
      : await api.PUT("/api/v2/workflowtemplate", { params: { header: { "If-Match": etag } }, body: template });
  if (!response.ok) throw new TemplateRefusal(response.status, (error ?? {}) as { reason?: string; message?: string });
  return data as Template;
}

export function deleteTemplate(name: string): Promise<unknown> {
  return call(api.DELETE("/api/v2/workflowtemplate/{name}", { params: { path: { name } } }));
}
