import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { isSecretParam, secretMask } from "../../parameter/secret-params.ts";

/**
 * What one event adds to the list of a batch: its parameters by name. Secrets are masked, because people see the list, and because no step
 * could know which of its texts to mask in the log.
 */
export function batchEntry(
  given: readonly RunParam[],
  declared: readonly AbstractParam[],
  secret: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const masked = new Set([...declared.filter(isSecretParam).map(({ name }) => name), ...secret]);
  return Object.fromEntries(given.map(({ name, value }) => [name, masked.has(name) ? secretMask : (value ?? null)]));
}
