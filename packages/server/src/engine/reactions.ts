import type { Reaction } from "../domain/delivery/reaction.ts";

/** What the service does about changes by itself; one line for each. They run in this order. */
export const reactions: readonly Reaction[] = [];
