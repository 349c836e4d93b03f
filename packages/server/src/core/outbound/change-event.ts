import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { EventKind } from "@millrace/contract/outbound/subscription.ts";
import type { Lineage } from "../run/lineage.ts";

/** A change of state as the database has recorded it. */
export interface ChangeEvent {
  id: string;
  /** Puts events in order: what happened after the commit of another change has a larger one. */
  seq: number;
  /** Null for a test of a subscription of the instance. */
  teamId: string | null;
  kind: EventKind | "subscription" | "invitation";
  status: string;
  /** Of the run, task run, action or schedule; of the team for its queue. */
  objectId: string;
  /** The run, or the schedule: events of the same one reach a receiver in order. */
  laneId: string;
  teamName: string | null;
  workflowId: string | null;
  workflowName: string | null;
  /** Label `initiatorContext` of the run. */
  initiatorContext: string | null;
  /** The workflows that led to it, its own at the end. */
  lineage: Lineage;
  /** Members of the object as the API names them at that moment, without parameters and results. */
  data: Record<string, unknown>;
  at: Date;
}

/** What is to be sent, as it is taken from the queue. */
export interface ClaimedDelivery {
  id: string;
  channel: DeliveryChannel;
  /** Null: it is a reaction's, and `target` says all. */
  subscriptionId: string | null;
  /** Whose the subscription is; null: the instance's, or there is none. */
  subscriptionTeamId: string | null;
  /** Of the event. */
  teamId: string | null;
  receiverId: string;
  /** Number of this attempt, from 1: the fence. */
  attempt: number;
  /** Of the subscription, or of the delivery itself: to whom, as the channel keeps it. */
  target: Record<string, unknown>;
  /** Envelopes of the subscription's secrets that are valid now, the newest first. */
  secrets: string[];
  event: ChangeEvent;
}
