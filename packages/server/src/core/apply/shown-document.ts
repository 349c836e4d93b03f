import { type ApplyKind, ownApiVersion } from "@millrace/contract/apply.ts";

/** Members of a response that authors do not write: computed ones, and those that change with each write. */
const computed = new Set([
  ...["id", "version", "creationDate", "changelog", "upgradesAvailable", "warnings", "changeDate", "hiddenValue"],
  ...["workflowDisplayName", "statusMessage", "waitingFor", "nextScheduleDate", "lastScheduleDate", "lastRunRef", "oldSecretUntil"],
  ...["retentionInForce", "memberCount", "workflows"],
]);

/** A document as a diff shows it: only the members that an author can write, in a form that can be applied. */
export function shownDocument(kind: ApplyKind, document: object): Record<string, unknown> {
  const members = Object.entries(document).filter(([name, value]) => value !== undefined && !computed.has(name));
  const { tasks, ...rest } = Object.fromEntries(members);
  return { apiVersion: ownApiVersion, kind, ...rest, ...(Array.isArray(tasks) && { tasks: tasks.map(withoutComputed) }) };
}

function withoutComputed(task: unknown): unknown {
  if (typeof task !== "object" || task === null) return task;
  return Object.fromEntries(Object.entries(task).filter(([name]) => name !== "upgradesAvailable"));
}
