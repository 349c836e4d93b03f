import { t } from "../../texts/run/activity.ts";

/** The outcome for one of several objects. */
export interface BulkOutcome {
  state: "waiting" | "working" | "done" | "refused";
  /** What happened, or why it failed. */
  message?: string;
}

/**
 * Performs the work for each object, a few at a time. If one is refused, the others still continue.
 * @param work returns what happened, in a few words
 * @param tell called whenever the state of an object changes
 */
export async function workThrough<Thing>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<string>,
  tell: (index: number, outcome: BulkOutcome) => void,
  width = 4,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < things.length; index = next++) {
      tell(index, { state: "working" });
      try {
        tell(index, { state: "done", message: await work(things[index] as Thing) });
      } catch (refusal) {
        tell(index, { state: "refused", message: refusal instanceof Error ? refusal.message : String(refusal) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, things.length) }, worker));
}

/** `3 done, 2 refused` */
export function bulkSummary(outcomes: readonly BulkOutcome[]): string {
  const count = (state: BulkOutcome["state"]) => outcomes.filter((outcome) => outcome.state === state).length;
  const open = count("waiting") + count("working");
  const parts = [
    t("bulkWork.done", { count: count("done") }),
    ...(count("refused") > 0 ? [t("bulkWork.refused", { count: count("refused") })] : []),
    ...(open > 0 ? [t("bulkWork.remaining", { open })] : []),
  ];
  return parts.join(", ");
}

/** One of several objects of the same action. */
export interface BulkThing {
  id: string;
  name: string;
}
