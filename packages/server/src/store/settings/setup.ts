import type { Queryable } from "../database/database.ts";

/** The checklist of a new instance: per instance, not per person. */

export async function isSetupOpen(db: Queryable): Promise<boolean> {
  const [row] = await db<{ isOpen: boolean }[]>`select setup_dismissed_at is null as "isOpen" from instance`;
  return row!.isOpen;
}

export async function dismissSetup(db: Queryable): Promise<void> {
  await db`update instance set setup_dismissed_at = coalesce(setup_dismissed_at, (select db_now()))`;
}

/** @param sampleTeam name of the team that comes with the instance: its workflows don't count */
export async function hasOwnWorkflow(db: Queryable, sampleTeam: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from team t join workflow w on w.team_id = t.id and w.deleted_at is null
      where t.name <> ${sampleTeam} and t.deleted_at is null) as found`;
  return row!.found;
}
