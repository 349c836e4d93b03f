import type { ChangeEvent } from "../core/delivery/change-event.ts";
import type { Queryable } from "./database.ts";

/** The event of a run's end, when somebody wanted it. Ids are in the order of time, so few rows are looked at. */
export async function findRunEndEvent(db: Queryable, teamId: string, runId: string): Promise<ChangeEvent | undefined> {
  const [row] = await db<ChangeEvent[]>`
    select e.id, e.seq::float8 as seq, e.team_id as "teamId", e.kind, e.status, e.object_id as "objectId", e.lane_id as "laneId",
           e.team_name as "teamName", e.workflow_id as "workflowId", e.workflow_name as "workflowName",
           e.initiator_context as "initiatorContext", e.data, e.at
    from run r join change_event e on e.id >= id_floor(r.ended_at - interval '1 minute')
      and e.team_id = r.team_id and e.kind = 'workflowrun' and e.object_id = r.id and e.status = r.status
    where r.team_id = ${teamId} and r.id = ${runId} order by e.seq limit 1`;
  return row;
}
