import type { components } from "@millrace/client/schema.generated.ts";
import { holds } from "@millrace/contract/permission.ts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { callerQuery } from "../api/queries/identity/session.ts";
import { t } from "../texts/frame.ts";

/** The signed-in user. Usable only inside `SignedIn`, which guarantees that there is one. */
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
 * Whether an action is allowed, to know it before the button is pressed; the server decides.
 * @param permission e.g. `workflow/write`
 * @param team name or id; left out: the instance
 */
export function may(caller: Caller, permission: string, team?: string): boolean {
  const ofTeam = team === undefined ? [] : (caller.teams.find(({ id, name }) => id === team || name === team)?.permissions ?? []);
  return holds([...caller.permissions, ...ofTeam], permission);
}

/** The explanation beside a disabled button; undefined if it is enabled. */
function whyNot(caller: Caller, permission: string, team?: string): string | undefined {
  if (may(caller, permission, team)) return undefined;
  return team === undefined ? t("permissions.missingOnInstance", { permission }) : t("permissions.missingInTeam", { permission, team });
}
