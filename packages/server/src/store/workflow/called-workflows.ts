import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../database/database.ts";
import { isNoTry } from "./hidden-workflows.ts";

/** Workflows that tasks of other workflows run. */

/** A workflow that a task runs, without what only its own runs need. */
export interface CalledWorkflow {
  /** Index in the requested list. */
  position: number;
  name: string;
  latestVersion: number;
  /** Null if the workflow has no such version, like the next three. */
  version: number | null;
  document: Pick<WorkflowDocument, "params" | "results" | "tasks" | "batch"> | null;
}

/** @param wanted lower-case name or id; version null: the latest. In one statement (indexes workflow_name or workflow_pkey, workflow_version_current) */
export async function listCalledWorkflows(
  db: Queryable,
  teamId: string,
  wanted: readonly { ref: string; version: number | null }[],
): Promise<CalledWorkflow[]> {
  return db<CalledWorkflow[]>`
    select (r.place - 1)::int as position, w.name, w.latest_version as "latestVersion", v.version,
      case when v.id is not null then json_build_object('params', v.document->'params', 'results', v.document->'results', 'batch', v.document->'batch',
        'tasks', coalesce((select json_agg(t) from json_array_elements(v.document->'tasks') t where t->>'type' = 'setwfproperty'), '[]')) end as document
    from unnest(${wanted.map(({ ref }) => ref)}::text[], ${wanted.map(({ version }) => version)}::int[]) with ordinality as r (ref, version, place)
      join workflow w on w.team_id = ${teamId} and w.deleted_at is null and (w.name = r.ref or w.id::text = r.ref)
      left join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.replaced_at is null
        and v.version = coalesce(r.version, w.latest_version)`;
}

/**
 * Other workflows of the team whose latest version runs exactly this version of the workflow, by name, ten at most. It reads the documents
 * of the team that pin any version, with what is nested in them.
 */
export async function listPinningWorkflows(
  db: Queryable,
  teamId: string,
  { id, name }: { id: string; name: string },
  version: number | undefined,
): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select w.name from workflow w
      join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version and v.replaced_at is null
    where w.team_id = ${teamId} and w.deleted_at is null and w.id <> ${id} and ${isNoTry(db)} and v.document::text like '%"workflowVersion"%'
      and exists (
        with recursive task(t) as (
          select t from json_array_elements(v.document->'tasks') t
          union all
          select inner_task from task, json_array_elements(case when json_typeof(t->'workflow'->'tasks') = 'array' then t->'workflow'->'tasks' end) inner_task)
        select from task
        where t->>'type' = 'runworkflow'
          and exists (select from json_array_elements(t->'params') p
            where p->>'name' = 'workflowRef' and lower(trim(p->>'value')) in (${name}, ${id}))
          and exists (select from json_array_elements(t->'params') p
            where p->>'name' = 'workflowVersion' and p->>'value' ~ ${version === undefined ? "[0-9]" : `^\\s*0*${version}\\s*$`}))
    order by w.name limit 10`;
  return rows.map((row) => row.name);
}
