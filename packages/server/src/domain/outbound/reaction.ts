import type { EventBus } from "../../base/process/event-bus.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { RunContext } from "../run/run-context.ts";

/** What a reaction may use in addition to the transaction. */
export interface ReactionParts {
  context: RunContext;
  bus: EventBus;
  /** Runs after the transaction is committed, and not at all if the reaction fails: for wakes. */
  afterCommit(effect: () => void): void;
}

/**
 * What the service itself does about a change, besides notifying subscribers: it starts other workflows, or reports to the code host. It
 * runs once for each event, in the order of events, in a savepoint of its own: its errors are logged and affect nothing else. To send
 * something it queues a delivery (domain/outbound/report-to-codehost.ts).
 */
export interface Reaction {
  name: string;
  /** Whether the event is of interest. Called for every event, so it must not use the database. */
  concerns(event: ChangeEvent): boolean;
  react(tx: Transaction, event: ChangeEvent, parts: ReactionParts): Promise<void>;
}
