import { mostLabels, mostLabelValues } from "@millrace/contract/workflow/workflow-list.ts";
import type { Queryable } from "../database/database.ts";
import { isMatching, type WorkflowFilter } from "./workflows.ts";

interface LabelValueRow {
  key: string;
  value: string;
  /** Workflows with this value. */
  workflows: number;
  /** Workflows with any value of the key. */
  keyWorkflows: number;
  valueCount: number;
}

/**
 * The labels of the matching workflows, by key and value, with the number of workflows. If there are very many, the most common ones. Each
 * matching workflow is read once: a team has thousands of them, and each only a few labels.
 */
export function listWorkflowLabels(db: Queryable, teamId: string, filter: WorkflowFilter): Promise<LabelValueRow[]> {
  return db<LabelValueRow[]>`
    with used as (
      select l.key, l.value, count(*)::int as workflows from workflow w cross join lateral jsonb_each_text(w.labels) l
      where ${isMatching(db, teamId, filter)} group by l.key, l.value),
    ranked as (
      select u.*, row_number() over (partition by u.key order by u.workflows desc, u.value) as place from used u),
    keys as (
      select u.key, sum(u.workflows)::int as workflows, count(*)::int as value_count from used u
      group by u.key order by 2 desc, u.key limit ${mostLabels})
    select k.key, r.value, r.workflows, k.workflows as "keyWorkflows", k.value_count as "valueCount"
    from keys k join ranked r on r.key = k.key and r.place <= ${mostLabelValues}
    order by k.key, r.value`;
}
