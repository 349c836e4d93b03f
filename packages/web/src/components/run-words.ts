import type { components } from "@millrace/client/schema.generated.ts";
import type { TriggerKind } from "@millrace/contract/status.ts";
import { t } from "../texts/shared.ts";

/** How a run was started, in one word. */
export const triggerWords: Readonly<Record<TriggerKind, string>> = {
  manual: t("runWords.triggerManual"),
  schedule: t("runWords.triggerSchedule"),
  webhook: t("runWords.triggerWebhook"),
  event: t("runWords.triggerEvent"),
  codehost: t("runWords.triggerCodehost"),
  workflow: t("runWords.triggerWorkflow"),
  engine: t("runWords.triggerEngine"),
  task: t("runWords.triggerTask"),
};

type Startable = Pick<components["schemas"]["WorkflowRun"], "trigger" | "initiatedByType" | "retryOf" | "labels">;

/** Which kind of rerun it is. Its trigger does not say that: it is the one of its original. */
export function rerunKind({ initiatedByType, retryOf, labels }: Omit<Startable, "trigger">) {
  if (retryOf === undefined) return undefined;
  // Automatic retries that an earlier version started have no label, but the initiator of their original.
  if (labels["millrace.dev/retry"] === "automatic" || initiatedByType === "schedule" || initiatedByType === "instance") return "automatic";
  return labels["millrace.dev/bulk"] === undefined ? "single" : "bulk";
}

/** How a run was started, in one word; of a rerun, which kind of rerun it is. */
export function startWord(run: Startable): string {
  const kind = rerunKind(run);
  return kind === undefined ? triggerWords[run.trigger] : rerunWords[kind];
}

const rerunWords = {
  automatic: t("runWords.rerunAutomatic"),
  single: t("runWords.rerunSingle"),
  bulk: t("runWords.rerunBulk"),
};

/** Ids begin with their creation time, so only their end tells them apart. */
export const shortId = (id: string): string => id.slice(-8);

type Started = Pick<components["schemas"]["WorkflowRun"], "trigger" | "initiatedByRef" | "initiatedByType" | "initiatedByName">;

/** Who or what started a run, in words. */
export function initiatorText({ trigger, initiatedByType, initiatedByName }: Started): string {
  switch (initiatedByType) {
    case "user":
      return initiatedByName ?? t("runWords.deletedUser");
    case "token":
      return initiatedByName ?? t("runWords.deletedToken");
    case "schedule":
      return initiatedByName ?? t("runWords.deletedSchedule");
    case "workflow":
      return initiatedByName === undefined ? t("runWords.anotherRun") : t("runWords.runOfWorkflow", { workflow: initiatedByName });
    default:
      return triggerWords[trigger];
  }
}

/** Who started a run, in the format of a caller's id: `user:<id>`, or `token:<id>` for a token that acts as itself. */
export function starterId({ initiatedByType, initiatedByRef }: Pick<Started, "initiatedByRef" | "initiatedByType">): string | undefined {
  return initiatedByRef === undefined ? undefined : `${initiatedByType}:${initiatedByRef}`;
}
