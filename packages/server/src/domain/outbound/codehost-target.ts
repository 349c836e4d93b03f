import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import type { CodehostTarget } from "../../core/outbound/codehost-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findCodehostReport } from "../../store/integration/codehost-reports.ts";
import { findLinkedInstallation } from "../../store/integration/installations.ts";
import { readIntegrationSettings, requireCodehostApp } from "../integration/integration-settings.ts";

type Report = { report: { outcome: "retry" | "rejected"; error: string } };

/**
 * The report of the run, while the team is still linked to the installation. Missing settings may be added while the delivery is retried.
 */
export async function readCodehostTarget(
  db: Queryable,
  keyring: Keyring,
  { event }: ClaimedDelivery,
): Promise<{ target: CodehostTarget; secrets: string[] } | Report> {
  const report = await findCodehostReport(db, event.teamId ?? "", event.objectId);
  if (!report) return rejected("the run is no longer reported");
  const installation = await findLinkedInstallation(db, report.teamId, report.installationRef);
  if (installation?.status !== "active")
    return rejected(`the team is no longer linked to installation ${report.installationRef}, or the installation is suspended`);
  try {
    const app = requireCodehostApp(await readIntegrationSettings(db, keyring));
    return { target: { ...report, app }, secrets: [app.pem] };
  } catch (error) {
    if (error instanceof AppError) return { report: { outcome: "retry", error: error.message } };
    throw error;
  }
}

function rejected(error: string): Report {
  return { report: { outcome: "rejected", error } };
}
