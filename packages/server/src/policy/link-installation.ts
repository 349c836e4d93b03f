import type { Principal } from "../api/endpoint.ts";
import { allows } from "./allows.ts";

/** The values of the setting codehost.linking. */
export type LinkRule = "new" | "administrators" | "open";

export interface InstallationFacts {
  isNew: boolean;
  linkedTeams: readonly string[];
}

/**
 * Whether this principal, who may write the integrations of the team, may link the team to that installation. A link gives the team the
 * payloads of all its events, and its tasks tokens for its repositories, so knowing a number that anyone can guess must not be enough.
 */
export function mayLinkInstallation(principal: Principal, rule: LinkRule, facts: InstallationFacts & { teamId: string }): boolean {
  return facts.linkedTeams.includes(facts.teamId) || mayLinkFirst(principal, rule, facts);
}

/** Whether the principal could link one of their teams to it. If so, they may also see it before. */
export function couldLinkInstallation(principal: Principal, rule: LinkRule, facts: InstallationFacts): boolean {
  return writesSomewhere(principal) && mayLinkFirst(principal, rule, facts);
}

function mayLinkFirst(principal: Principal, rule: LinkRule, { isNew, linkedTeams }: InstallationFacts): boolean {
  if (rule === "open" || allows(principal, "integration/write")) return true;
  if (linkedTeams.some((teamId) => allows(principal, "integration/write", teamId))) return true;
  return rule === "new" && isNew && linkedTeams.length === 0;
}

export function writesSomewhere(principal: Principal): boolean {
  return (
    allows(principal, "integration/write") || [...principal.teams.keys()].some((teamId) => allows(principal, "integration/write", teamId))
  );
}
