import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import { codehostCheck } from "../../core/outbound/codehost-target.ts";
import type { Transaction } from "../../store/database/database.ts";
import { findCodehostReport } from "../../store/integration/codehost-reports.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";
import type { Reaction } from "./reaction.ts";

/** Shows the beginning and the end of a run at the commit whose event has started it, where its workflow asks for that. */
export const reportToCodehost: Reaction = {
  name: "report to the codehost",
  concerns: ({ kind, status, teamId }) => kind === "workflowrun" && teamId !== null && codehostCheck(status) !== undefined,
  async react(tx, event) {
    const teamId = event.teamId as string;
    if ((await findCodehostReport(tx, teamId, event.objectId)) === undefined) return;
    // What it is sent to is read when it is sent: by then the report may know its check.
    await queueDelivery(tx, event, { channel: "codehost", target: {}, receiverId: teamId });
  },
};

interface ReactionDelivery {
  channel: DeliveryChannel;
  /** To whom, as the channel's reader of targets understands it; nothing secret. */
  target: Record<string, unknown>;
  /** Reports with the same key share a limit of requests in progress: those of a team, or of an installation. */
  receiverId: string;
}

/** Has a reaction's message about an event sent by a channel, in order with those before it for the same run and receiver. */
async function queueDelivery(tx: Transaction, event: ChangeEvent, { channel, target, receiverId }: ReactionDelivery): Promise<void> {
  await insertDeliveries(tx, [{ event, channel, target, receiverId, subscriptionId: null }]);
}
