import { holds } from "@millrace/contract/permission.ts";
import type { components } from "./schema.generated.ts";

export type Caller = components["schemas"]["Caller"];

/**
 * Whether a button will work, before it is pressed; the server decides.
 * @param permission such as `workflow/write`
 * @param team name or id; without it the instance is meant
 */
export function may(caller: Caller, permission: string, team?: string): boolean {
  const ofTeam = team === undefined ? [] : (caller.teams.find(({ id, name }) => id === team || name === team)?.permissions ?? []);
  return holds([...caller.permissions, ...ofTeam], permission);
}

/** What to say beside a button that does not work. Undefined when it does. */
export function whyNot(caller: Caller, permission: string, team?: string): string | undefined {
  if (may(caller, permission, team)) return undefined;
  return `This needs the permission ${permission}${team === undefined ? " on the instance" : ` in team ${team}`}. Ask ${team === undefined ? "an administrator" : "an owner"}.`;
}
