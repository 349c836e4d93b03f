import type { AppError } from "../../base/error/app-error.ts";
import { codehostAppOf, type IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { unknownInstallation } from "../../domain/integration/link-installation.ts";
import type { LiveInstallation } from "../../integrations/codehost/codehost-client.ts";
import { unknownToCodehost } from "../../integrations/codehost/codehost-refusal.ts";
import type { LinkRule } from "../../policy/link-installation.ts";
import type { Services } from "../endpoint.ts";

/**
 * What the platform says of the installation now. Undefined where the instance has no credentials of the app, so that what its
 * events have told is all there is to know. The network is asked: never within a transaction.
 *
 * @param ref the platform's number of it. @throws AppError INTEGRATION_NOT_CONFIGURED, INTEGRATION_FAILED
 */
export async function readLive(
  { codehost }: Pick<Services, "codehost">,
  settings: IntegrationSettings,
  ref: string,
): Promise<LiveInstallation | undefined> {
  const app = codehostAppOf(settings);
  return app && codehost.of(app).readInstallation(ref);
}

/** What is not here, and what the caller must not see, get the same answer. */
export function noInstallation(settings: IntegrationSettings, ref: string): AppError {
  return codehostAppOf(settings) === undefined || !/^\d+$/.test(ref) ? unknownInstallation(ref) : unknownToCodehost(ref);
}

export function linkRuleOf(settings: IntegrationSettings): LinkRule {
  return settings.get("codehost.linking") as LinkRule;
}
