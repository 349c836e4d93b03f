import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { secretMask } from "../../parameter/node-secrets.ts";
import { isSecretParam } from "../../parameter/secret-params.ts";

/**
 * What one event adds to the list of a batch: its parameters by name. Secrets are masked: the list is shown to people, and no step could
 * tell which of its texts to keep out of the log.
 */
export function batchEntry(
  given: readonly RunParam[],
  declared: readonly AbstractParam[],
  secret: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const masked = new Set([...declared.filter(isSecretParam).map(({ name }) => name), ...secret]);
  return Object.fromEntries(given.map(({ name, value }) => [name, masked.has(name) ? secretMask : (value ?? null)]));
}
