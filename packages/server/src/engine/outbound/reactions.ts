import { outcomeReaction } from "../../domain/inbound/start-by-outcome.ts";
import type { Reaction } from "../../domain/outbound/reaction.ts";
import { reportToCodehost } from "../../domain/outbound/report-to-codehost.ts";

/** What the service does about changes by itself; one line for each. They run in this order. */
export const reactions: readonly Reaction[] = [outcomeReaction, reportToCodehost];
