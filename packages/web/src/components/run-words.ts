import type { TriggerKind } from "@millrace/contract/status.ts";
import type { components } from "../api/schema.generated.ts";

/** How a run came to be, in a word. */
export const triggerWords: Readonly<Record<TriggerKind, string>> = {
  manual: "manually",
  schedule: "schedule",
  webhook: "webhook",
  event: "event",
  codehost: "codehost",
  workflow: "end of a run",
  engine: "engine",
  task: "task",
};

/** Ids begin with the time at which they were made; their end tells them apart. */
export const shortId = (id: string): string => id.slice(-8);

type Started = Pick<components["schemas"]["WorkflowRun"], "trigger" | "initiatedByRef" | "initiatedByType" | "initiatedByName">;

/** Who or what started a run, in words. */
export function initiatorText({ trigger, initiatedByType, initiatedByName }: Started): string {
  switch (initiatedByType) {
    case "user":
      return initiatedByName ?? "a deleted user";
    case "token":
      return initiatedByName ?? "a deleted token";
    case "schedule":
      return initiatedByName ?? "a deleted schedule";
    case "workflow":
      return initiatedByName === undefined ? "another run" : `a run of ${initiatedByName}`;
    default:
      return triggerWords[trigger];
  }
}

/** Who started a run in the form of the id of a caller: `user:<id>`, or `token:<id>` of a token that acts as itself. */
export function starterId({ initiatedByType, initiatedByRef }: Pick<Started, "initiatedByRef" | "initiatedByType">): string | undefined {
  return initiatedByRef === undefined ? undefined : `${initiatedByType}:${initiatedByRef}`;
}
