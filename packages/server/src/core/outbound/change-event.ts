import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { EventKind } from "@millrace/contract/outbound/subscription.ts";
import type { Lineage } from "../run/lineage.ts";

/** A change of state as recorded in the database. */
export interface ChangeEvent {
  id: string;
  /** Orders events: a change after the commit of another one has a larger number. */
  seq: number;
  /** Null for a test of a subscription of the instance. */
  teamId: string | null;
  kind: EventKind | "subscription" | "invitation";
  status: string;
  /** The id of the run, task run, action or schedule; of the team for its queue. */
  objectId: string;
  /** The run or the schedule: a receiver gets events of the same one in order. */
  laneId: string;
  teamName: string | null;
  workflowId: string | null;
  workflowName: string | null;
  /** The label `initiatorContext` of the run. */
  initiatorContext: string | null;
  /** The workflows that led to it, with its own at the end. */
  lineage: Lineage;
  /** Members of the object as in the API at that moment, without parameters and results. */
  data: Record<string, unknown>;
  at: Date;
}

/** A delivery as it was taken from the queue. */
export interface ClaimedDelivery {
  id: string;
  channel: DeliveryChannel;
  /** Null: it belongs to a reaction, and `target` has everything. */
  subscriptionId: string | null;
  /** The team of the subscription; null: it belongs to the instance, or there is none. */
  subscriptionTeamId: string | null;
  /** The team of the event. */
  teamId: string | null;
  receiverId: string;
  /** Number of this attempt, from 1: the fence. */
  attempt: number;
  /** The receiver, from the subscription or the delivery itself, in the form in which the channel stores it. */
  target: Record<string, unknown>;
  /** Envelopes of the subscription's currently valid secrets, the newest first. */
  secrets: string[];
  event: ChangeEvent;
}
