import { AppError } from "../../base/error/app-error.ts";
import { isDomainAllowed } from "../../core/outbound/email-target.ts";
import { inviteRefusal } from "../../policy/teams.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { Principal, Services } from "../endpoint.ts";
import { signInRules } from "./sign-in/begin-session.ts";

/**
 * Whether the principal may invite people, by the setting and the domains that are allowed to sign in. Also for adding members by address:
 * an address that doesn't belong to a member is an invitation, whether it has an account or not.
 *
 * @param teamId undefined: a team that is about to be created
 */
export async function inviteCheck(
  db: Queryable,
  services: Services,
  principal: Principal,
  teamId: string | undefined,
): Promise<(emails: readonly string[]) => void> {
  const { inviters } = await services.runs.settings.load(db);
  const { emailDomains } = signInRules(services);
  return (emails) => {
    const others = emails.filter((email) => email !== principal.email);
    if (others.length === 0) return;
    const refusal = inviteRefusal(principal, teamId, inviters);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    const outside = others.find((email) => !isDomainAllowed(email, emailDomains));
    if (outside !== undefined) throw outsideDomains(outside, emailDomains);
  };
}

function outsideDomains(email: string, domains: readonly string[]): AppError {
  const message = `is ${email}; only people in the domains ${domains.join(", ")} can sign in here (MILLRACE_OIDC_DOMAINS)`;
  return new AppError("VALIDATION_FAILED", [`/email ${message}`], { details: [{ path: "/email", message }] });
}
