import type { TaskSpec, TaskStatus } from "@millrace/contract/task/task.ts";
import type { Queryable } from "../database/database.ts";

/** A StepAction in its latest version. */
export interface StepActionRow {
  name: string;
  /** Null: of the instance. */
  teamId: string | null;
  status: TaskStatus;
  version: number;
  /** Null: those before it are too large together. */
  spec: TaskSpec | null;
}

/**
 * The StepActions with that name for a task of the team: the team's own before one of the instance. For a global task (no team) only the
 * latter.
 *
 * @param maxBytes of all specs together; specs beyond it are null
 */
export async function listStepActions(
  db: Queryable,
  teamId: string | null,
  names: readonly string[],
  maxBytes: number,
): Promise<StepActionRow[]> {
  return db<StepActionRow[]>`
    select t.name, t.team_id as "teamId", t.status, v.version,
      case when sum(octet_length(v.spec::text)) over (order by t.id) <= ${maxBytes} then v.spec end as spec
    from unnest(${[...names]}::text[]) as wanted (name)
      cross join lateral (
        select id, team_id, name, status, latest_version from task
        where (team_id = ${teamId} or team_id is null) and name = wanted.name and type = 'stepaction' and deleted_at is null
        order by team_id nulls last limit 1) t
      join task_version v on v.task_id = t.id and v.version = t.latest_version and v.replaced_at is null`;
}
