import type { Phase, Status } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";

export interface RunUpdate {
  teamId: string;
  id: string;
  status: Status;
  phase: Phase;
}

/**
 * The current state of those of the given runs that belong to these teams. @param teamIds undefined: all teams, for callers who may read
 * all (index run_by_id)
 */
export function listRunsAmong(db: Queryable, teamIds: readonly string[] | undefined, ids: readonly string[]): Promise<RunUpdate[]> {
  return db<RunUpdate[]>`
    select team_id as "teamId", id, status, phase from run
    where id = any(${[...ids]}::uuid[]) ${teamIds === undefined ? db`` : db`and team_id = any(${[...teamIds]}::uuid[])`}`;
}
