import type { Queryable } from "../database/database.ts";

/** What starts runs by itself: a schedule, or the secret that webhooks for a workflow are signed with. */
export interface Starter {
  teamId: string;
  kind: "schedule" | "webhook";
  /** Of the schedule, or the workflow. */
  id: string;
}

/** A principal (`user:ID`, `token:ID`), or the run whose task it was. */
export type StartAuthor = { principal: string } | { runId: string };

/**
 * Notes the people behind what starts runs by itself, so that its runs are theirs when it is voted on them. In the transaction that
 * makes or changes it; nobody is ever taken off.
 */
export async function noteStartAuthor(db: Queryable, { teamId, kind, id }: Starter, author: StartAuthor): Promise<void> {
  const people = "principal" in author ? db`people_of(${author.principal})` : db`people_of_run(${teamId}, ${author.runId})`;
  await db`
    insert into start_author (team_id, kind, ref, user_id)
    select ${teamId}, ${kind}, ${id}, unnest(${people})
    on conflict do nothing`;
}
