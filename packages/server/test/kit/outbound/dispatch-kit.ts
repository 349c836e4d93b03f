import type { EventBus } from "../../../src/base/process/event-bus.ts";
import { createLog } from "../../../src/base/process/log.ts";
import type { Reaction } from "../../../src/domain/outbound/reaction.ts";
import type { RunContext } from "../../../src/domain/run/run-context.ts";
import { EventDispatcher } from "../../../src/engine/outbound/event-dispatcher.ts";
import { reactions } from "../../../src/engine/outbound/reactions.ts";
import type { Database } from "../../../src/store/database/database.ts";

/** The dispatcher of changes, assembled as in production, and driven manually. `having`: other reactions. */
export function dispatcherOf(
  { sql, context, bus }: { sql: Database; context: RunContext; bus: EventBus },
  having: readonly Reaction[] = reactions,
): EventDispatcher {
  return new EventDispatcher({ sql, context, bus, log: createLog("silent"), reactions: having });
}
