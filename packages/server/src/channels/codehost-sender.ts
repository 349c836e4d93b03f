import { type CodehostCheck, type CodehostTarget, codehostCheck } from "../core/outbound/codehost-target.ts";
import type { DeliveryReport, OutgoingDelivery, Sender } from "../engine/channel.ts";
import { type CheckRun, createCheckRun, findCheckRun, setCommitStatus, updateCheckRun } from "../integrations/codehost/codehost-checks.ts";
import type { CodehostClient, CodehostClients } from "../integrations/codehost/codehost-client.ts";
import { CodehostError } from "../integrations/codehost/codehost-error.ts";

/**
 * Shows a run at its commit: as a check that is in progress and then completed, or, if the app may not write checks, as a commit status.
 *
 * A run has one check, however often a message arrives. Its number is stored as soon as the platform returns it. If that failed (the
 * response was lost, or this process died), the check is looked up by the id of the run before another one would be created.
 */
export interface CodehostReportParts {
  clients: CodehostClients;
  /** The platform has created that check for the run. */
  rememberCheckRun(target: CodehostTarget, checkRunId: number): Promise<void>;
}

export function createCodehostSender(parts: CodehostReportParts): Sender<CodehostTarget> {
  return {
    kind: "codehost",
    async send(delivery, target) {
      const check = codehostCheck(statusOf(delivery));
      if (!check) return { outcome: "rejected", error: "runs in this status are not reported" };
      try {
        await report(parts, delivery, target, check);
        return { outcome: "delivered" };
      } catch (error) {
        if (error instanceof CodehostError) return reportOf(error);
        throw error;
      }
    },
  };
}

/** The last word of the event's type is the status. */
function statusOf({ event }: OutgoingDelivery): string {
  return event.type.slice(event.type.lastIndexOf(".") + 1);
}

async function report(parts: CodehostReportParts, delivery: OutgoingDelivery, target: CodehostTarget, check: CodehostCheck): Promise<void> {
  const client = parts.clients.of(target.app);
  const detailsUrl = String(delivery.event.data["link"] ?? "");
  try {
    await reportCheck(parts, client, delivery, target, { ...check, detailsUrl });
  } catch (error) {
    if (!(error instanceof CodehostError && error.fault === "permission")) throw error;
    await setCommitStatus(client, target, { ...check, detailsUrl, name: target.name }, delivery.signal);
  }
}

async function reportCheck(
  parts: CodehostReportParts,
  client: CodehostClient,
  { attempt, signal }: OutgoingDelivery,
  target: CodehostTarget,
  { status, conclusion, title, detailsUrl }: CodehostCheck & { detailsUrl: string },
): Promise<void> {
  const { name, runId } = target;
  const check: CheckRun = { name, externalId: runId, status, conclusion, detailsUrl, title, summary: `[Run ${runId}](${detailsUrl})` };
  // No earlier message about a run exists when it starts.
  const isFirst = attempt === 1 && status === "in_progress";
  const known = target.checkRunId ?? (isFirst ? undefined : await findCheckRun(client, target, check, signal));
  if (known !== undefined) await updateCheckRun(client, target, known, check, signal);
  const id = known ?? (await createCheckRun(client, target, check, signal));
  if (target.checkRunId === null) await parts.rememberCheckRun(target, id);
}

/** Wrong settings may be corrected before the last try. */
function reportOf({ fault, isPassing, httpStatus, retryAfterMs, message }: CodehostError): DeliveryReport {
  const mayPass = isPassing || fault === "key" || fault === "app";
  return {
    outcome: mayPass ? "retry" : "rejected",
    error: message,
    ...(httpStatus !== undefined && { status: httpStatus }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
