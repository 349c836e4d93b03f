import type { ScheduleContext } from "../../domain/schedule/save-schedule.ts";
import type { Context } from "../endpoint.ts";
import { lineageOf } from "../lineage-header.ts";

type Request = Pick<Context<unknown, unknown, unknown, unknown>, "team" | "principal" | "keyring" | "headers">;

/** For whom a request saves a schedule, and which workflows led to it. */
export function scheduleContext({ team, principal, keyring, headers }: Request): ScheduleContext {
  const author = { principal: principal.id };
  return { teamId: team.id, keyring, author, onlyWorkflowId: principal.workflowId, lineage: lineageOf({ headers }) };
}
