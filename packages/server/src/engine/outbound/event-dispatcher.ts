import type { EventBus } from "../../base/process/event-bus.ts";
import type { Log } from "../../base/process/log.ts";
import { eventFits } from "../../core/event-filters/event-fits.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import { type OutboundEvent, outboundEvent } from "../../core/outbound/outbound-event.ts";
import type { Reaction } from "../../domain/outbound/reaction.ts";
import { channels, placeOf } from "../../domain/run/report-changes.ts";
import type { RunContext } from "../../domain/run/run-context.ts";
import type { Database, Transaction } from "../../store/database/database.ts";
import { isOutage } from "../../store/database/database-error.ts";
import { transaction } from "../../store/database/transaction.ts";
import {
  type ActiveSubscription,
  closeEvents,
  findPendingEvents,
  listOpenEvents,
  lockActiveSubscriptions,
  tryDispatching,
} from "../../store/outbound/change-events.ts";
import { insertDeliveries, lockLanes, type NewDelivery } from "../../store/outbound/deliveries.ts";

/**
 * Turns recorded changes into deliveries and has reactions run. One process does it at a time (an advisory lock), in the order of events, a
 * batch in a transaction: what came of an event and that it was examined are written together, so an event is never passed over and
 * never counted twice, wherever a process dies. Each reaction runs in a savepoint: one that fails loses what it did itself, and no more.
 */

export interface DispatcherParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  log: Log;
  reactions: readonly Reaction[];
}

const batchSize = 500;
/** Pause while there are subscribers: polling costs less than notifying the dispatcher of each change would. */
const listeningMs = 100;
/** Pause while there are none. */
const idleMs = 15_000;

export class EventDispatcher {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Dispatches all pending events. @returns milliseconds until the next poll, if nothing wakes the dispatcher earlier */
  async tick(): Promise<number> {
    const found = await findPendingEvents(this.#parts.sql);
    if (found.hasOpen) while ((await this.#dispatchBatch()) === batchSize);
    return found.isWanted || found.hasOpen ? listeningMs : idleMs;
  }

  /** @returns how many events it processed; none if another process does it */
  async #dispatchBatch(): Promise<number> {
    const effects: (() => void)[] = [];
    const outcome = await transaction(this.#parts.sql, async (tx) => {
      effects.length = 0;
      if (!(await tryDispatching(tx))) return { looked: 0, places: [] };
      const events = await listOpenEvents(tx, batchSize);
      // All at once and before anything else, because reactions add to these lanes one by one.
      await lockLanes(
        tx,
        events.map(({ laneId }) => laneId),
      );
      const matches = await this.#match(tx, events);
      await insertDeliveries(
        tx,
        matches.map(({ delivery }) => delivery),
      );
      for (const event of events) effects.push(...(await this.#react(tx, event)));
      await closeEvents(
        tx,
        events.map(({ id }) => id),
      );
      return { looked: events.length, places: matches.map(({ place }) => place) };
    });
    for (const effect of effects) effect();
    if (outcome.looked > 0) this.#parts.bus.wake(channels.deliveries);
    this.#parts.bus.wakePaced(channels.delivered, outcome.places);
    return outcome.looked;
  }

  async #match(tx: Transaction, events: readonly ChangeEvent[]): Promise<{ delivery: NewDelivery; place: string }[]> {
    const teamIds = [...new Set(events.flatMap(({ teamId }) => (teamId === null ? [] : [teamId])))];
    const subscriptions = teamIds.length === 0 ? [] : await lockActiveSubscriptions(tx, teamIds);
    return events.flatMap((event) => {
      const outbound = outboundEvent(event, this.#parts.context.publicUrl);
      return subscriptions
        .filter((subscription) => this.#isFor(subscription, event, outbound))
        .map(({ id, teamId, channel }) => ({
          delivery: { event, channel, subscriptionId: id, target: null, receiverId: id },
          place: placeOf(teamId),
        }));
    });
  }

  #isFor({ id, teamId, kinds, filters }: ActiveSubscription, event: ChangeEvent, outbound: OutboundEvent): boolean {
    if (teamId !== null && teamId !== event.teamId) return false;
    if (event.kind === "subscription" || event.kind === "invitation" || !kinds.includes(event.kind)) return false;
    try {
      return eventFits(filters, outbound);
    } catch (error) {
      this.#parts.log.error({ err: error, subscriptionId: id, eventId: event.id }, "the filters of a subscription failed on an event");
      return false;
    }
  }

  /** @returns what to do after the commit */
  async #react(tx: Transaction, event: ChangeEvent): Promise<(() => void)[]> {
    const { reactions, context, bus, log } = this.#parts;
    const effects: (() => void)[] = [];
    for (const reaction of reactions.filter((one) => one.concerns(event))) {
      const own: (() => void)[] = [];
      try {
        await tx.savepoint((inner) =>
          reaction.react(inner as Transaction, event, { context, bus, afterCommit: (effect) => void own.push(effect) }),
        );
        effects.push(...own);
      } catch (error) {
        if (isOutage(error)) throw error;
        log.error({ err: error, reaction: reaction.name, eventId: event.id }, "a reaction to an event failed");
      }
    }
    return effects;
  }
}
