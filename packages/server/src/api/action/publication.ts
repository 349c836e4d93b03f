import { channels, placeOf } from "../../domain/run/report-changes.ts";
import type { Published } from "../../domain/workflow/publish/publish-proposal.ts";
import type { AuditedObject } from "../../store/audit/audit.ts";
import type { Services } from "../endpoint.ts";
import { auditedWorkflow, viewWorkflow } from "../workflow/workflow.view.ts";

/** The audit record of a version that a vote published. */
export function publicationOf({ before, after }: Published): AuditedObject {
  const { id, name } = after.workflow;
  const shown = [before, after].map((read) => auditedWorkflow(viewWorkflow(read)));
  return { kind: "workflow", id, name, action: "workflow/publish", before: shown[0], after: shown[1] };
}

/** As after a save: a trigger may have been turned on, and open pages show the new version. */
export function wakeForPublished({ bus }: Pick<Services, "bus">, teamId: string, published: readonly Published[]): void {
  if (published.length > 0) bus.wake(channels.teams, `${placeOf(teamId)} workflow`);
  if (published.some(({ after }) => after.workflow.triggers.schedule.enabled)) bus.wake(channels.schedules);
  if (published.some(({ after }) => after.workflow.triggers.workflow?.enabled)) bus.wake(channels.events);
}
