import type { EventBus } from "../../base/process/event-bus.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { RunContext } from "../run/run-context.ts";

/** What a reaction may use beside the transaction. */
export interface ReactionParts {
  context: RunContext;
  bus: EventBus;
  /** Runs once the transaction is committed, and not at all when the reaction fails: for wakes. */
  afterCommit(effect: () => void): void;
}

/**
 * What the service itself does about a change, beside telling those who subscribed: it starts other workflows, or reports to the codehost.
 * It runs once for each event, in the order of events, in a savepoint of its own: what it throws is logged and stops nothing else.
 * To send something it queues a delivery (domain/outbound/report-to-codehost.ts).
 */
export interface Reaction {
  name: string;
  /** Is it of interest? Asked for every event, so it must not ask the database. */
  concerns(event: ChangeEvent): boolean;
  react(tx: Transaction, event: ChangeEvent, parts: ReactionParts): Promise<void>;
}
