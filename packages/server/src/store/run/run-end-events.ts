import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Queryable } from "../database/database.ts";

/** The end of a run as its change event has it (store/functions/note-run-changes.sql): that one may be dispatched and gone already. */
export async function findRunEndEvent(db: Queryable, teamId: string, runId: string): Promise<ChangeEvent | undefined> {
  const [row] = await db<ChangeEvent[]>`
    select new_id() as id, 0 as seq, r.team_id as "teamId", 'workflowrun' as kind, r.status, r.id as "objectId", r.id as "laneId",
      t.name as "teamName", w.id as "workflowId", w.name as "workflowName", r.labels ->> 'initiatorContext' as "initiatorContext",
      lineage_after(r.lineage, r.workflow_id) as lineage,
      r.ended_at as at, run_event_data(r, w.name, w.display_name) as data
    from run r join team t on t.id = r.team_id left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where r.team_id = ${teamId} and r.id = ${runId} and r.ended_at is not null`;
  return row;
}
