import type { Queryable } from "../database/database.ts";

/** The people behind what starts runs automatically: a schedule, or the secret that signs webhooks for a workflow. */
export interface Starter {
  teamId: string;
  kind: "schedule" | "webhook";
  /** Of the schedule, or the workflow. */
  id: string;
}

/** A principal (`user:ID`, `token:ID`), or the run whose task created it. */
export type StartAuthor = { principal: string } | { runId: string };

/**
 * Records the people behind what starts runs automatically, so that they count as having started its runs in votes. In the transaction that
 * creates or changes it; nobody is ever removed.
 */
export async function noteStartAuthor(db: Queryable, { teamId, kind, id }: Starter, author: StartAuthor): Promise<void> {
  const people = "principal" in author ? db`people_of(${author.principal})` : db`people_of_run(${teamId}, ${author.runId})`;
  await db`
    insert into start_author (team_id, kind, ref, user_id)
    select ${teamId}, ${kind}, ${id}, unnest(${people})
    on conflict do nothing`;
}
