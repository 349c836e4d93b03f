import { outcomeReaction } from "../../domain/inbound/start-by-outcome.ts";
import type { Reaction } from "../../domain/outbound/reaction.ts";
import { reportToCodehost } from "../../domain/outbound/report-to-codehost.ts";

/** The service's own reactions to changes, one line each, in the order in which they run. */
export const reactions: readonly Reaction[] = [outcomeReaction, reportToCodehost];
