import type { Phase, Status, TriggerKind, WaitKind } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";
import { isAtWork } from "../run/run-filter.ts";
import { waitKindsOf } from "../run/runs.ts";
import { isNoTrial, isNoTry } from "../workflow/hidden-workflows.ts";

/** What a user sees first about their teams. Each statement goes over a limited list of teams, and uses an index for each. */

export interface TeamCountsRow {
  teamId: string;
  workflows: number;
  members: number;
  openActions: number;
  runningRuns: number;
}

export async function countOfTeams(db: Queryable, teamIds: readonly string[]): Promise<TeamCountsRow[]> {
  return db<TeamCountsRow[]>`
    select t.id as "teamId",
      (select count(*)::int from workflow w where w.team_id = t.id and w.deleted_at is null and w.archived_at is null and ${isNoTry(db)}) as workflows,
      (select count(*)::int from team_member m where m.team_id = t.id) as members,
      (select count(*)::int from action a where a.team_id = t.id and a.status = 'submitted') as "openActions",
      (select count(*)::int from run r where r.team_id = t.id and ${isAtWork(db)} and ${isNoTrial(db)}) as "runningRuns"
    from (select value::uuid as id from json_array_elements_text(${JSON.stringify(teamIds)}::json)) as t`;
}

export interface RecentRunRow {
  id: string;
  teamId: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  status: Status;
  phase: Phase;
  trigger: TriggerKind;
  awaitingApproval: boolean;
  waitKinds: WaitKind[];
  initiatedBy: string | null;
  initiatorName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/**
 * The newest of each team by its key (index run_initiator for the runs of one person), and of those the newest. Runs of deleted workflows
 * are hidden with them, and trials.
 */
export async function listRecentRuns(
  db: Queryable,
  teamIds: readonly string[],
  limit: number,
  initiator?: string,
): Promise<RecentRunRow[]> {
  return db<RecentRunRow[]>`
    select r.id, r.team_id as "teamId", r.workflow_id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName",
      r.status, r.phase, r.trigger, r.awaiting_approval as "awaitingApproval", ${waitKindsOf(db)}, r.initiated_by as "initiatedBy",
      initiator_name(r.team_id, r.initiated_by) as "initiatorName", r.created_at as "createdAt",
      r.started_at as "startedAt", r.ended_at as "endedAt"
    from (select value::uuid as id from json_array_elements_text(${JSON.stringify(teamIds)}::json)) as t
      cross join lateral (
        select id, team_id, workflow_id, status, phase, activity, trigger, awaiting_approval, initiated_by, created_at, started_at, ended_at
        from run where team_id = t.id ${initiator === undefined ? db`` : db`and initiated_by = ${initiator}`}
          and workflow_id <> all(array(select id from workflow where team_id = t.id and deleted_at is not null
            union select id from workflow where team_id = t.id and starts_with(name, 'try~workflow~')))
        order by id desc limit ${limit}) as r
      join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    order by r.id desc limit ${limit}`;
}
