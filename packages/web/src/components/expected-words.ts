import { usualRunsNeeded } from "@millrace/contract/usual-runs.ts";
import type { WorkflowOverview } from "../api/queries/workflow-overview.ts";
import { t } from "../texts/shared.ts";
import { durationText } from "../ui/time/time-format.ts";

/**
 * How long a run of a workflow is expected to take: `usually 2 min; deadline 10 min`. Empty when neither is known.
 * @param own the deadline of a run that has one of its own, as it was written
 */
export function expectedWords({ succeeded, duration, deadline }: WorkflowOverview["usual"], own?: unknown): string {
  const usual = succeeded >= usualRunsNeeded && duration.p50 !== null ? t("expected.usual", { duration: durationText(duration.p50) }) : "";
  return [usual, deadlineWords(deadline, own)].filter((one) => one !== "").join("; ");
}

function deadlineWords(deadline: number | undefined, own: unknown): string {
  if (typeof own === "string") return own === "none" ? "" : t("expected.deadline", { deadline: own });
  return deadline === undefined ? "" : t("expected.deadline", { deadline: durationText(deadline) });
}
