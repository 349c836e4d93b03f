import { tryPrefix } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../database/database.ts";

/** Leaves out the workflows that were made to try a task. `w` is the workflow. */
export const isNoTry = (db: Queryable) => db`not starts_with(w.name, ${tryPrefix})`;

/** How long what came of a try can be looked at. */
const keptMinutes = 60;

/** Hides the workflows of tries that are over for that long; the purge takes them, as any deleted workflow. */
export async function hideOldTries(db: Queryable): Promise<void> {
  await db`
    update workflow w set deleted_at = (select db_now())
    where starts_with(w.name, ${tryPrefix}) and w.deleted_at is null
      and w.created_at < (select db_now()) - make_interval(mins => ${keptMinutes})
      and not exists (
        select from run r where r.team_id = w.team_id and r.workflow_id = w.id
          and (r.phase in ('pending', 'queued', 'running') or r.ended_at > (select db_now()) - make_interval(mins => ${keptMinutes})))`;
}
