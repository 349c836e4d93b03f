import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import { codehostCheck } from "../../core/outbound/codehost-target.ts";
import type { Transaction } from "../../store/database/database.ts";
import { findCodehostReport } from "../../store/integration/codehost-reports.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";
import type { Reaction } from "./reaction.ts";

/** Reports the start and the end of a run at the commit whose event started it, if its workflow asks for that. */
export const reportToCodehost: Reaction = {
  name: "report to the codehost",
  concerns: ({ kind, status, teamId }) => kind === "workflowrun" && teamId !== null && codehostCheck(status) !== undefined,
  async react(tx, event) {
    const teamId = event.teamId as string;
    if ((await findCodehostReport(tx, teamId, event.objectId)) === undefined) return;
    // The target is read when it is sent: by then the report may know its check.
    await queueDelivery(tx, event, { channel: "codehost", target: {}, receiverId: teamId });
  },
};

interface ReactionDelivery {
  channel: DeliveryChannel;
  /** The receiver, in the form that the channel reads; contains no secrets. */
  target: Record<string, unknown>;
  /** Reports with the same key share a limit of requests in progress: those of a team, or of an installation. */
  receiverId: string;
}

/** Queues a reaction's message about an event for a channel, in order with earlier ones for the same run and receiver. */
async function queueDelivery(tx: Transaction, event: ChangeEvent, { channel, target, receiverId }: ReactionDelivery): Promise<void> {
  await insertDeliveries(tx, [{ event, channel, target, receiverId, subscriptionId: null }]);
}
