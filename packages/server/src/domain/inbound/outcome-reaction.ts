import type { Reaction } from "../outbound/reaction.ts";
import { wakeForSubmitted } from "../run/wake-for-changes.ts";
import { isRunEnd, startByOutcome } from "./start-by-outcome.ts";

/** The ends of runs start other workflows. */
export const outcomeReaction: Reaction = {
  name: "workflow triggers",
  concerns: isRunEnd,
  async react(tx, event, { context, bus, afterCommit }) {
    const started = await startByOutcome(tx, context, event);
    afterCommit(() => {
      for (const run of started) wakeForSubmitted(bus, run);
    });
  },
};
