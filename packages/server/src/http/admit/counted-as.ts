import type { FastifyRequest } from "fastify";
import { networkOf } from "../../base/network/ip-ranges.ts";
import { hasCredential } from "../../policy/allows.ts";

/**
 * As whom a request counts where callers share something. Without a credential the address, also for a signature, which is checked only
 * when the body is there. All tokens of a team are one caller, since a team makes as many as it likes.
 */
export function countedAs({ caller, ip }: FastifyRequest): string {
  if (caller === undefined || !hasCredential(caller.principal)) return networkOf(ip);
  return caller.principal.teamId ?? caller.principal.id;
}
