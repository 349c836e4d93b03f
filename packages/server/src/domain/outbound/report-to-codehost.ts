import { codehostCheck } from "../../core/outbound/codehost-check.ts";
import { findCodehostReport } from "../../store/integration/codehost-reports.ts";
import { queueDelivery } from "./queue-delivery.ts";
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
