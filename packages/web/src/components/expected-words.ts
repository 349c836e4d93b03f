import { usualRunsNeeded } from "@millrace/contract/run/usual-runs.ts";
import type { RunExpectation } from "../api/queries/run/run-expectation.ts";
import type { WorkflowOverview } from "../api/queries/workflow/workflow-overview.ts";
import { t } from "../texts/shared.ts";
import { durationText } from "../ui/time/time-format.ts";

/** The expected duration of a workflow's runs, e.g. `usually 2 min; deadline 10 min`. Empty when unknown. */
export function expectedWords({ succeeded, duration, expected, deadline }: WorkflowOverview["usual"]): string {
  const usualDuration = succeeded >= usualRunsNeeded && duration.p50 !== null ? duration.p50 : undefined;
  return wordsOf({ usualDuration, expectedDuration: expected, deadline });
}

interface Durations {
  usualDuration?: number | undefined;
  expectedDuration?: number | undefined;
  deadline?: number | undefined;
}

function wordsOf({ usualDuration, expectedDuration, deadline }: Durations): string {
  const parts = [
    usualDuration !== undefined && t("expected.usual", { duration: durationText(usualDuration) }),
    expectedDuration !== undefined && t("expected.expected", { duration: durationText(expectedDuration) }),
    deadline !== undefined && t("expected.deadline", { deadline: durationText(deadline) }),
  ];
  return parts.filter((one) => one !== false).join("; ");
}

/** The same for one run, including whether it is late: `late: usually 4 min, running 12 min`. */
export function runExpectationWords(expectation: RunExpectation, run: { creationDate: string; startTime?: string }, nowMs: number): string {
  const { late, usualDuration, expectedDuration, deadline } = expectation;
  if (late === undefined) return wordsOf(expectation);
  const words = { deadline: wordsOf({ deadline }), expected: wordsOf({ expectedDuration }), usual: wordsOf({ usualDuration }) }[late.limit];
  const since = Date.parse(late.limit === "deadline" ? run.creationDate : (run.startTime ?? run.creationDate));
  const duration = durationText(Math.max(0, nowMs - since));
  return t(late.limit === "deadline" ? "expected.lateQueued" : "expected.late", { words, duration });
}
