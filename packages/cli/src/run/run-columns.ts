import type { Schemas } from "@millrace/client/client.ts";
import { formatDate, formatDuration } from "../output/format-time.ts";
import type { Printed } from "../output/print.ts";

type Run = Schemas["WorkflowRun"];

export const runColumns: Printed<Run>["columns"] = [
  { header: "ID", value: ({ id }) => id },
  { header: "WORKFLOW", value: workflowOf },
  { header: "STATUS", value: ({ status }) => status, isStatus: true },
  { header: "CREATED", value: ({ creationDate }) => formatDate(creationDate) },
  { header: "DURATION", value: ({ duration }) => (duration === 0 ? "" : formatDuration(duration)) },
  { header: "MESSAGE", value: messageOf, canBeCut: true },
];

export const printedRuns: Printed<Run> = { columns: runColumns, nameOf: ({ id }) => id };

/** For a nested workflow, where it is defined: its own name means nothing to people. */
function workflowOf({ nested, workflowName, workflowRef }: Run): string {
  return nested ? `${nested.workflow} / ${nested.task}` : (workflowName ?? workflowRef);
}

function messageOf({ statusMessage, waitingFor, waitKinds = [] }: Run): string | undefined {
  return statusMessage || waitingFor || (waitKinds.length > 0 ? `Waiting for: ${waitKinds.join(", ")}` : undefined);
}
