import type { components } from "@millrace/client/schema.generated.ts";
import { holds } from "@millrace/contract/permission.ts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { callerQuery } from "../api/queries/identity/session.ts";
import { t } from "../texts/frame.ts";

/** The user who is signed in. Only below `SignedIn`, which has made sure that there is one. */
export function useCaller() {
  return useSuspenseQuery(callerQuery).data;
}

/**
 * `const rights = useRights(team); rights.may("workflow/write")`, `rights.whyNot("workflow/write")` for the tooltip of a disabled button.
 */
export function useRights(team?: string) {
  const caller = useCaller();
  return {
    may: (permission: string) => may(caller, permission, team),
    whyNot: (permission: string) => whyNot(caller, permission, team),
  };
}

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
function whyNot(caller: Caller, permission: string, team?: string): string | undefined {
  if (may(caller, permission, team)) return undefined;
  return team === undefined ? t("permissions.missingOnInstance", { permission }) : t("permissions.missingInTeam", { permission, team });
}
