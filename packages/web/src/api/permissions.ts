import type { components } from "./schema.generated.ts";

export type Caller = components["schemas"]["Caller"];

/** As the server's own rule (policy/allows.ts): either part may be `**`. */
function covers(granted: string, wanted: string): boolean {
  const [resource, action] = granted.split("/");
  const [wantedResource, wantedAction] = wanted.split("/");
  return (resource === "**" || resource === wantedResource) && (action === "**" || action === wantedAction);
}

/**
 * Whether a button will work, before it is pressed; the server decides.
 * @param permission such as `workflow/write`
 * @param team name or id; without it the instance is meant
 */
export function may(caller: Caller, permission: string, team?: string): boolean {
  const ofTeam = team === undefined ? [] : (caller.teams.find(({ id, name }) => id === team || name === team)?.permissions ?? []);
  return [...caller.permissions, ...ofTeam].some((granted) => covers(granted, permission));
}

/** What to say beside a button that does not work. Undefined when it does. */
export function whyNot(caller: Caller, permission: string, team?: string): string | undefined {
  if (may(caller, permission, team)) return undefined;
  return `This needs the permission ${permission}${team === undefined ? " on the instance" : ` in team ${team}`}. Ask ${team === undefined ? "an administrator" : "an owner"}.`;
}
