import type { Phase, Status } from "@millrace/contract/status.ts";
import type { Queryable } from "./database.ts";

export interface RunNews {
  id: string;
  status: Status;
  phase: Phase;
}

/** Those of the given runs that are the team's, as they are now. */
export function listRunsAmong(db: Queryable, teamId: string, ids: readonly string[]): Promise<RunNews[]> {
  return db<RunNews[]>`select id, status, phase from run where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}
