import type { MissedTimes } from "../../core/alert/missed-times.ts";
import type { Queryable } from "../database/database.ts";

/** Scheduled times that got no run, or got it too late. Firing a schedule records them itself; here are those that nothing fires. */

export interface MissedSchedule {
  teamId: string;
  id: string;
  missed: MissedTimes;
}

/** Records them if a subscription wants it, in the transaction that locks the schedules, so each once. @returns those that were wanted */
export async function recordMissedTimes(db: Queryable, schedules: readonly MissedSchedule[]): Promise<{ id: string; status: string }[]> {
  const rows = schedules.map(({ teamId, id, missed }) => ({ teamId, id, ...missed }));
  return db`
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, lineage, data)
    select s.team_id, 'alert', m.status, s.id, s.id, t.name, w.id, w.name, s.lineage, json_strip_nulls(json_build_object(
      'id', s.id, 'name', s.name, 'workflowRef', w.name, 'workflowDisplayName', w.display_name, 'type', s.type, 'cronSchedule', s.cron,
      'timezone', s.timezone, 'scheduledDate', iso_time(m.first), 'count', m.count, 'message', m.message,
      'nextScheduleDate', iso_time(s.next_at), 'link', '/api/v2/team/' || s.team_id || '/schedule/' || s.id))
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as m("teamId" uuid, id uuid, status text, first timestamptz, count int, message text)
    join schedule s on s.team_id = m."teamId" and s.id = m.id
    join team t on t.id = s.team_id
    left join workflow w on w.team_id = s.team_id and w.id = s.workflow_id
    where is_change_wanted(s.team_id, 'alert')
    order by s.id
    returning object_id as id, status`;
}

/**
 * Schedules whose time passed so many minutes ago and that nothing has fired (index schedule_due), of teams that want alerts. Locked ones
 * are skipped, because another process is firing them. Each time is returned once.
 */
export async function takeOverdueSchedules(
  tx: Queryable,
  { minutes, limit }: { minutes: number; limit: number },
): Promise<{ teamId: string; id: string; nextAt: Date }[]> {
  return tx`
    update schedule s set alerted_for = s.next_at from (
      select u.team_id, u.id from schedule u join alert_team a on a.team_id = u.team_id
      where u.fire_at <= (select db_now()) - make_interval(mins => ${minutes}) and u.alerted_for is distinct from u.next_at
      order by u.fire_at limit ${limit} for update of u skip locked) due
    where s.team_id = due.team_id and s.id = due.id
    returning s.team_id as "teamId", s.id, s.next_at as "nextAt"`;
}
