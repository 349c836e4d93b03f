import type { Action } from "@millrace/contract/action/action.ts";
import { listActionNotes, readActionDetails } from "../../store/action/action-notes.ts";
import type { ActionRow } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { TeamScope } from "../endpoint.ts";
import { viewWholeAction } from "./action.view.ts";

/** Including what only the reader of a single action needs. */
export async function readWholeAction(db: Queryable, team: TeamScope, row: ActionRow): Promise<Action> {
  const details = (await readActionDetails(db, team.id, row.id)) ?? { decidedAt: null, attachments: [] };
  return viewWholeAction(row, team.name, details, await listActionNotes(db, team.id, row.id));
}
