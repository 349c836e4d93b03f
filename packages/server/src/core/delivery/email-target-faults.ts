import { type EmailTarget, maxEmailAddresses } from "@millrace/contract/email-target.ts";
import type { ErrorDetail } from "../../base/app-error.ts";
import { isEmail } from "../../base/email.ts";

/**
 * What is wrong with the target of an e-mail subscription, by place.
 *
 * @param domains those to which e-mails may go; empty: any
 */
export function emailTargetFaults(target: EmailTarget, domains: readonly string[], path: string): ErrorDetail[] {
  const to = target.to ?? [];
  if (to.length === 0 && (target.people ?? []).length === 0) {
    return [{ path, message: `names nobody; give addresses in "to" (at most ${maxEmailAddresses}), or "people"` }];
  }
  return to.flatMap((address, index) => {
    const fault = addressFault(address, domains);
    return fault === undefined ? [] : [{ path: `${path}/to/${index}`, message: fault }];
  });
}

function addressFault(address: string, domains: readonly string[]): string | undefined {
  const shown = JSON.stringify(address.slice(0, 80));
  if (!isEmail(address)) return `is ${shown}; it must be an e-mail address`;
  return isDomainAllowed(address, domains) ? undefined : `is ${shown}; this instance sends e-mails to ${domains.join(", ")} only`;
}

/** Domains from the setting, as they are written there: `example.com, example.org`. */
export function parseDomains(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ""))
    .filter((domain) => domain !== "");
}

export function isDomainAllowed(address: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(address.slice(address.lastIndexOf("@") + 1).toLowerCase());
}
